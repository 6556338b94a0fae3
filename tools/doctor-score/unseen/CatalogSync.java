// problem: Blocking calls run in the common ForkJoinPool by CompletableFuture.supplyAsync; its one or two threads are
//     always blocked and all requests wait for them.
// place: CatalogSync.details
// place: Warehouse.stock
// place: Warehouse.ask
// remedy: Give supplyAsync an executor with a virtual thread per task, or call the warehouse directly from the
//     request's virtual thread.

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Assembles product pages: for each product the stock of three warehouses is asked side by side. */
public final class CatalogSync {

    record Details(int product, int pieces) {}

    /** Stands for a remote call of 30 ms. */
    static final class Warehouse {
        private final int number;

        Warehouse(int number) {
            this.number = number;
        }

        CompletableFuture<Integer> stock(int product) {
            return CompletableFuture.supplyAsync(() -> ask(product));
        }

        private int ask(int product) {
            try {
                Thread.sleep(30);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return (product * 17 + number) % 40;
        }
    }

    private final List<Warehouse> warehouses =
            IntStream.range(0, 3).mapToObj(Warehouse::new).toList();
    private final LongAdder pages = new LongAdder();

    Details details(int product) {
        List<CompletableFuture<Integer>> answers =
                warehouses.stream().map(it -> it.stock(product)).toList();
        int pieces = answers.stream().mapToInt(CompletableFuture::join).sum();
        pages.increment();
        return new Details(product, pieces);
    }

    public static void main(String[] args) throws Exception {
        var sync = new CatalogSync();
        try (var visitors = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                int visitor = i;
                visitors.submit(() -> {
                    for (int n = 0; ; n++) {
                        if (sync.details(visitor * 37 + n).pieces() < 0) {
                            throw new IllegalStateException("negative stock");
                        }
                        Thread.sleep(20);
                    }
                });
            }
        }
    }
}
