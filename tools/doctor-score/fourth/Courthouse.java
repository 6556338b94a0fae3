// problem: Each request that finds the access token expired takes the lock and fetches a new one from the token
//     server, without looking again whether another request has just done so. All requests queue for the lock and
//     fetch one after the other, each for 200 ms.
// place: Tokens.current
// place: TokenServer.fetch
// remedy: Look again after the lock is taken (or let one request fetch and the others wait for its result), and renew
//     before the token expires.
// named: the lock is held across a slow call or read from a socket, by one thread after the other, and requests queue
//     for it, at the place
// half: a contended lock, without what its holder does; or slow reads from the token server
// false: a deadlock, a lost unlock, CPU, a pool
// shows: queued is above 10 most of the time, fetched is five in a second where two would do
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

public class Courthouse {

    record Token(long number, long expires) {
        boolean isValid() {
            return System.nanoTime() < expires;
        }
    }

    record TokenServer(int port, LongAdder fetched) {
        Token fetch() throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                new DataOutputStream(socket.getOutputStream()).writeInt(7);
                long number = new DataInputStream(socket.getInputStream()).readLong();
                fetched.increment();
                return new Token(number, System.nanoTime() + 400_000_000L);
            }
        }
    }

    static final class Tokens {
        private final ReentrantLock lock = new ReentrantLock();
        private final TokenServer server;
        private volatile Token token = new Token(0, System.nanoTime());

        Tokens(TokenServer server) {
            this.server = server;
        }

        Token current() throws IOException {
            Token known = token;
            if (known.isValid()) {
                return known;
            }
            lock.lock();
            try {
                token = server.fetch();
                return token;
            } finally {
                lock.unlock();
            }
        }
    }

    record Clerk(Tokens tokens, LongAdder judged) {
        void work() {
            try {
                while (true) {
                    tokens.current();
                    Thread.sleep(40);
                    judged.increment();
                }
            } catch (IOException e) {
                System.out.println(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void issue(Socket socket) {
        try (socket) {
            int realm = new DataInputStream(socket.getInputStream()).readInt();
            Thread.sleep(200);
            new DataOutputStream(socket.getOutputStream()).writeLong(System.nanoTime() + realm);
        } catch (IOException | InterruptedException e) {
            System.out.println(e);
        }
    }

    private static void serve(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.startVirtualThread(() -> issue(socket));
            }
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("token-server").start(() -> serve(server));
        LongAdder judged = new LongAdder();
        LongAdder fetched = new LongAdder();
        Tokens tokens = new Tokens(new TokenServer(server.getLocalPort(), fetched));
        for (int i = 0; i < 100; i++) {
            Thread.ofVirtual().name("clerk-" + i).start(new Clerk(tokens, judged)::work);
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("judged " + judged.sumThenReset() + " in a second, fetched " + fetched.sumThenReset()
                    + ", queued " + tokens.lock.getQueueLength());
        }
    }
}
