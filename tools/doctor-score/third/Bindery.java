// problem: The initialiser of Paper uses Cover, and that of Cover uses Paper. Two first requests start them at the
//     same time, from both ends: each class waits for the other for ever, and with them all requests that need one of
//     them.
// place: Paper.<clinit>
// place: Cover.<clinit>
// place: Bindery.quoteInside
// place: Bindery.quoteOutside
// remedy: Break the cycle: move the shared defaults into a third class, or create them lazily.
// named: threads wait for the initialisation of a class that waits for another one, at one of the places
// half: blocked or pinned carriers, or threads that make no progress, without class initialisation
// false: slow configuration, a lock of the program, computing
// shows: quotes stays at a small number
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

public class Bindery {

    record Sort(String name, int grams, int cents) {}

    /// What the configuration service says, slowly.
    static Sort configured(String key, int grams, int cents) {
        try {
            Thread.sleep(120);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Sort(key, grams, cents);
    }

    static final class Paper {
        static final Sort STANDARD = configured("paper.standard", 90, 2);
        static final Map<String, Sort> SORTS =
                Map.of("standard", STANDARD, "endpaper", new Sort("endpaper", Cover.BOARD.grams() / 10, 9));

        static Sort of(String name) {
            return SORTS.get(name);
        }
    }

    static final class Cover {
        static final Sort BOARD = configured("cover.board", 1_400, 80);
        static final int SPINE = BOARD.grams() / Paper.STANDARD.grams();

        static int spineFor(int pages) {
            return Math.max(SPINE, pages / 12);
        }
    }

    private final AtomicInteger quotes = new AtomicInteger();
    private final AtomicInteger pings = new AtomicInteger();

    int quoteInside(int pages) {
        int cents = pages * Paper.of("standard").cents() + 2 * Paper.of("endpaper").cents();
        quotes.incrementAndGet();
        return cents;
    }

    int quoteOutside(int pages) {
        int cents = 250 + 3 * Cover.spineFor(pages);
        quotes.incrementAndGet();
        return cents;
    }

    private void ping() {
        pings.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        var bindery = new Bindery();
        for (int i = 0; i < 12; i++) {
            int client = i;
            Thread.ofVirtual().name("client-" + i).start(() -> {
                try {
                    for (int pages = 100; ; pages++) {
                        if (client % 3 == 2) {
                            bindery.ping();
                        } else if (client % 3 == 1) {
                            bindery.quoteInside(pages);
                        } else {
                            bindery.quoteOutside(pages);
                        }
                        Thread.sleep(100);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf("quotes %d, pings %d%n", bindery.quotes.get(), bindery.pings.get());
        }
    }
}
