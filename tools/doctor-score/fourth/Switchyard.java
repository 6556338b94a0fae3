// problem: The thread that reads the replies of a connection also runs the callbacks of the replies. One callback asks
//     a second question over the same connection and waits for its reply, which only this thread could read.
// place: Timetable.plan
// place: Link.read
// remedy: Chain with thenCompose instead of join, or run callbacks that wait on threads of their own (thenApplyAsync).
// named: the reader waits in a callback (join in a CompletableFuture's dependent) for something only it completes: it
//     blocks itself, at the place
// half: threads wait for futures that nobody completes, without the reader that blocks itself
// false: a deadlock of locks, a slow server, a peer that does not answer, CPU, a pool
// shows: planned stays the same
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

public class Switchyard {

    static final class Link {
        private final Map<Integer, CompletableFuture<String>> open = new ConcurrentHashMap<>();
        private final AtomicInteger numbers = new AtomicInteger();
        private final ReentrantLock writing = new ReentrantLock();
        private final DataInputStream in;
        private final DataOutputStream out;

        Link(Socket socket) throws IOException {
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
            Thread.ofVirtual().name("link-reader").start(this::read);
        }

        CompletableFuture<String> ask(String question) {
            int number = numbers.incrementAndGet();
            CompletableFuture<String> reply = new CompletableFuture<>();
            open.put(number, reply);
            writing.lock();
            try {
                out.writeInt(number);
                out.writeUTF(question);
            } catch (IOException e) {
                reply.completeExceptionally(e);
            } finally {
                writing.unlock();
            }
            return reply;
        }

        private void read() {
            try {
                while (true) {
                    int number = in.readInt();
                    String reply = in.readUTF();
                    open.remove(number).complete(reply);
                }
            } catch (IOException e) {
                open.values().forEach(it -> it.completeExceptionally(e));
            }
        }
    }

    record Timetable(Link link, LongAdder planned, LongAdder connections) {
        String plan(String train) {
            String track = link.ask("track of " + train)
                    .thenApply(it -> {
                        if (it.hashCode() % 16 == 0) {
                            connections.increment();
                            return it + " with " + link.ask("connection of " + train).join();
                        }
                        return it;
                    })
                    .join();
            planned.increment();
            return track;
        }
    }

    private static void answer(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            while (true) {
                int number = in.readInt();
                String question = in.readUTF();
                if (number % 8 == 0) {
                    Thread.sleep(1);
                }
                out.writeInt(number);
                out.writeUTF("track " + number + " for " + question);
            }
        } catch (IOException | InterruptedException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
        Socket accepted = server.accept();
        Thread.ofVirtual().name("signal-box").start(() -> answer(accepted));
        Timetable timetable = new Timetable(new Link(socket), new LongAdder(), new LongAdder());
        for (int i = 0; i < 30; i++) {
            Thread.ofVirtual().name("dispatcher-" + i).start(() -> {
                try {
                    while (true) {
                        timetable.plan("train " + ThreadLocalRandom.current().nextInt(500));
                        Thread.sleep(20);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("planned " + timetable.planned() + ", connections " + timetable.connections());
        }
    }
}
