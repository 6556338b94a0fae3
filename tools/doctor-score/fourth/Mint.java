// problem: A client sends its whole batch of orders before it reads the first reply. The server replies while it
//     reads. When the buffers of both directions are full, each side waits in a write for the other to read.
// place: Treasury.order
// place: Press.serve
// remedy: Read replies in a thread of their own while the orders are written, or send no more than a window of orders
//     without a reply.
// named: writes to a socket that block because the peer does not read, at the place
// half: threads wait long in socket I/O, without that the peer does not read; or a stuck lock or thread at the place
// false: a deadlock of locks, a slow server, a peer that does not answer a read, CPU, a pool
// shows: batches stays the same
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Mint {

    record Press(ServerSocket server) {
        void listen() {
            try {
                while (true) {
                    Socket socket = server.accept();
                    Thread.ofVirtual().name("press").start(() -> serve(socket));
                }
            } catch (IOException e) {
                System.out.println(e);
            }
        }

        private void serve(Socket socket) {
            byte[] picture = new byte[2_000];
            try (socket) {
                DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                byte[] design = new byte[1_000];
                while (true) {
                    int coin = in.readInt();
                    in.readFully(design);
                    picture[0] = (byte) coin;
                    out.write(picture);
                }
            } catch (IOException e) {
                System.out.println(e);
            }
        }
    }

    static final class Treasury {
        private final Socket socket;
        private final LongAdder batches;

        Treasury(int port, LongAdder batches) throws IOException {
            this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
            this.batches = batches;
        }

        void order(int coins) throws IOException {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            byte[] design = new byte[1_000];
            for (int coin = 0; coin < coins; coin++) {
                out.writeInt(coin);
                out.write(design);
            }
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            byte[] picture = new byte[2_000];
            for (int coin = 0; coin < coins; coin++) {
                in.readFully(picture);
            }
            batches.increment();
        }

        void work(boolean large) {
            try {
                while (true) {
                    int coins = ThreadLocalRandom.current().nextInt(5, 40);
                    order(large ? coins * 2_000 : coins);
                    Thread.sleep(100);
                }
            } catch (IOException e) {
                System.out.println(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("mint").start(new Press(server)::listen);
        LongAdder batches = new LongAdder();
        LongAdder samples = new LongAdder();
        for (int i = 0; i < 8; i++) {
            Treasury treasury = new Treasury(server.getLocalPort(), batches);
            Thread.ofVirtual().name("treasury-" + i).start(() -> treasury.work(true));
        }
        for (int i = 0; i < 4; i++) {
            Treasury collector = new Treasury(server.getLocalPort(), samples);
            Thread.ofVirtual().name("collector-" + i).start(() -> collector.work(false));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("batches " + batches + ", samples " + samples);
        }
    }
}
