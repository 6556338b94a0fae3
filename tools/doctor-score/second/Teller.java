// problem: The reader of the shared connection ignores error answers, so the future of such a request is never
//     completed, and the request waits for it forever.
// place: CoreLink.call
// place: Teller.balance
// remedy: Complete the future exceptionally when an error answer arrives, and wait with a time limit.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Cash machines ask for balances. The requests of all machines share one connection to the core of the bank. */
public final class Teller {

    private static final LongAdder answered = new LongAdder();

    private static void balance(CoreLink core, int account) {
        if (!core.call("balance " + account).isEmpty()) {
            answered.increment();
        }
    }

    /** The core: it answers each line `id text` by `OK id amount` or `ERR id reason`. */
    private static void serve(Socket socket) {
        try (socket;
                var in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                var out = new PrintWriter(socket.getOutputStream(), true)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String id = line.substring(0, line.indexOf(' '));
                boolean isLocked = ThreadLocalRandom.current().nextInt(12) == 0;
                out.println(isLocked ? "ERR " + id + " account is locked" : "OK " + id + " 120.50");
            }
        } catch (IOException e) {
            System.err.println("the core has ended: " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        try (var listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            var link = new CoreLink(new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort()));
            Socket accepted = listener.accept();
            Thread.ofPlatform().daemon().start(() -> serve(accepted));
            while (true) {
                int account = ThreadLocalRandom.current().nextInt(1_000_000);
                Thread.startVirtualThread(() -> balance(link, account));
                Thread.sleep(4);
            }
        }
    }
}

/** Many requests at once over one connection: an identifier in each line connects answer and request. */
final class CoreLink {

    private final Map<Integer, CompletableFuture<String>> open = new ConcurrentHashMap<>();
    private final AtomicInteger last = new AtomicInteger();
    private final BufferedReader in;
    private final PrintWriter out;

    CoreLink(Socket socket) throws IOException {
        in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        out = new PrintWriter(socket.getOutputStream(), true);
        Thread.ofVirtual().name("core answers").start(this::readAll);
    }

    String call(String text) {
        var answer = new CompletableFuture<String>();
        int id = last.incrementAndGet();
        open.put(id, answer);
        out.println(id + " " + text);
        return answer.join();
    }

    private void readAll() {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] parts = line.split(" ", 3);
                if (parts[0].equals("OK")) {
                    open.remove(Integer.valueOf(parts[1])).complete(parts[2]);
                }
            }
        } catch (IOException e) {
            System.err.println("the core does not answer: " + e);
        }
    }
}
