// healthy: 600 clients poll for messages the long way: each request waits up to 25 seconds for the next message, and
//     comes again. Nearly all wait at any time, and every message reaches its client at once.
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

public class Pagers {

    private static final int CLIENTS = 600;

    static final class Mailboxes {
        private final Map<Integer, CompletableFuture<String>> open = new ConcurrentHashMap<>();
        private final LongAdder delivered = new LongAdder();
        private final LongAdder empty = new LongAdder();

        String poll(int client) throws InterruptedException, ExecutionException {
            var next = new CompletableFuture<String>();
            open.put(client, next);
            try {
                return next.get(25, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                open.remove(client, next);
                empty.increment();
                return "";
            }
        }

        void post(int client, String message) {
            CompletableFuture<String> waiting = open.remove(client);
            if (waiting != null && waiting.complete(message)) {
                delivered.increment();
            }
        }
    }

    private static void pager(Mailboxes mailboxes, int client) {
        try {
            while (true) {
                if (mailboxes.poll(client).equals("end")) {
                    return;
                }
            }
        } catch (ExecutionException e) {
            System.out.println("pager " + client + " is off: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var mailboxes = new Mailboxes();
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            Thread.ofVirtual().name("pager-" + i).start(() -> pager(mailboxes, client));
        }
        Thread.ofVirtual().name("office").start(() -> {
            try {
                while (true) {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(10, 50));
                    mailboxes.post(ThreadLocalRandom.current().nextInt(CLIENTS), "call home");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "delivered %d, empty answers %d, waiting %d%n",
                    mailboxes.delivered.sum(), mailboxes.empty.sum(), mailboxes.open.size());
        }
    }
}
