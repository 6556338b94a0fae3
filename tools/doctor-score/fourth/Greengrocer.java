// problem: Each request asks three of six growers in an executor of its own and takes what has come within 60 ms, but
//     closing the executor waits for the rest. One grower accepts connections and never answers, and reads have no
//     timeout, so requests that meet it never end.
// place: Offers.collect
// place: Grower.ask
// remedy: Set a timeout for reads, cancel the futures that are late (shutdownNow before close), so that close finds
//     nothing to wait for.
// named: reads from a peer that does not answer, without a timeout, or requests that wait in close for such a
//     subtask, at the place
// half: threads wait long in close or in reads, without the peer that does not answer
// false: a deadlock, a lock, a pool, CPU, a lost signal
// shows: sold stays the same
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

public class Greengrocer {

    record Grower(String name, int port) {
        int ask(String fruit) throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                new DataOutputStream(socket.getOutputStream()).writeUTF(fruit);
                return new DataInputStream(socket.getInputStream()).readInt();
            }
        }
    }

    record Offers(List<Grower> growers) {
        int collect(String fruit) throws InterruptedException {
            int best = Integer.MAX_VALUE;
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Integer>> asked = new ArrayList<>();
                int first = ThreadLocalRandom.current().nextInt(growers.size());
                for (int i = 0; i < 3; i++) {
                    Grower grower = growers.get((first + i) % growers.size());
                    asked.add(executor.submit(() -> grower.ask(fruit)));
                }
                for (Future<Integer> offer : asked) {
                    try {
                        best = Math.min(best, offer.get(60, TimeUnit.MILLISECONDS));
                    } catch (TimeoutException | ExecutionException e) {
                        continue;
                    }
                }
            }
            return best;
        }
    }

    private static void answer(Socket socket, boolean answers) {
        try (socket) {
            String fruit = new DataInputStream(socket.getInputStream()).readUTF();
            Thread.sleep(answers ? ThreadLocalRandom.current().nextInt(5, 20) : Long.MAX_VALUE);
            new DataOutputStream(socket.getOutputStream()).writeInt(fruit.length() * 10);
        } catch (IOException | InterruptedException e) {
            System.out.println(e);
        }
    }

    private static Grower grower(String name, boolean answers) throws IOException {
        ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name(name).start(() -> {
            try {
                while (true) {
                    Socket socket = server.accept();
                    Thread.startVirtualThread(() -> answer(socket, answers));
                }
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        return new Grower(name, server.getLocalPort());
    }

    public static void main(String[] args) throws Exception {
        List<Grower> growers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            growers.add(grower("grower-" + i, i != 4));
        }
        Offers offers = new Offers(growers);
        LongAdder sold = new LongAdder();
        for (int i = 0; i < 40; i++) {
            Thread.ofVirtual().name("customer-" + i).start(() -> {
                try {
                    while (true) {
                        offers.collect("pears");
                        sold.increment();
                        Thread.sleep(50);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("sold " + sold);
        }
    }
}
