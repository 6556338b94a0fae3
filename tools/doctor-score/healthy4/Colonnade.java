// healthy: 60 clients talk to a server that closes three connections in ten without a reply. Clients try again after a
//     pause that doubles and has some chance in it, and reads have a timeout. Dozens of exceptions in a second are
//     normal here; all requests succeed, most at the first try.
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Colonnade {

    record Registry(ServerSocket server) {
        void listen() {
            try {
                while (true) {
                    Socket socket = server.accept();
                    Thread.startVirtualThread(() -> serve(socket));
                }
            } catch (IOException e) {
                System.out.println(e);
            }
        }

        private static void serve(Socket socket) {
            try (socket) {
                int column = new DataInputStream(socket.getInputStream()).readInt();
                Thread.sleep(ThreadLocalRandom.current().nextInt(2, 8));
                if (ThreadLocalRandom.current().nextInt(10) >= 3) {
                    new DataOutputStream(socket.getOutputStream()).writeUTF("column " + column);
                }
            } catch (IOException e) {
                return; // the client has left
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Client {
        private final InetSocketAddress address;
        private final LongAdder answers;
        private final LongAdder retries;

        Client(InetSocketAddress address, LongAdder answers, LongAdder retries) {
            this.address = address;
            this.answers = answers;
            this.retries = retries;
        }

        private String ask(int column) throws IOException {
            try (Socket socket = new Socket()) {
                socket.connect(address, 2_000);
                socket.setSoTimeout(2_000);
                new DataOutputStream(socket.getOutputStream()).writeInt(column);
                return new DataInputStream(socket.getInputStream()).readUTF();
            }
        }

        private String askPatiently(int column) throws InterruptedException {
            for (int pause = 40; ; pause = Math.min(2 * pause, 1_000)) {
                try {
                    return ask(column);
                } catch (IOException e) {
                    retries.increment();
                    Thread.sleep(pause / 2 + ThreadLocalRandom.current().nextInt(pause));
                }
            }
        }

        void work() {
            try {
                for (int column = 0; ; column++) {
                    if (!askPatiently(column).isEmpty()) {
                        answers.increment();
                    }
                    Thread.sleep(ThreadLocalRandom.current().nextInt(100, 400));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("registry").start(new Registry(server)::listen);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
        LongAdder answers = new LongAdder();
        LongAdder retries = new LongAdder();
        for (int i = 0; i < 60; i++) {
            Thread.ofVirtual().name("client-" + i).start(new Client(address, answers, retries)::work);
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("answers " + answers + ", retries " + retries);
        }
    }
}
