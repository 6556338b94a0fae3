// problem: Each page fetches its tiles by a parallel stream, so the remote calls block the few threads of the common
//     pool that all requests share, and the pages wait for them.
// place: Atlas.page
// place: Tiles.fetch
// remedy: Fetch the tiles in virtual threads, for example by an executor with a virtual thread for each task.

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Serves maps for hikers. A page has 24 tiles, which come from another service. */
public final class Atlas {

    private final Tiles tiles = new Tiles();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder searches = new LongAdder();

    void page(int region) {
        List<Integer> numbers = IntStream.range(region, region + 24).boxed().toList();
        bytes.add(numbers.parallelStream().mapToInt(tiles::fetch).sum());
    }

    void search(String place) throws InterruptedException {
        Thread.sleep(4); // the index
        searches.add(place.length());
    }

    public static void main(String[] args) {
        var atlas = new Atlas();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                threads.submit(() -> {
                    while (true) {
                        atlas.page(ThreadLocalRandom.current().nextInt(80_000));
                        Thread.sleep(60);
                    }
                });
                threads.submit(() -> {
                    while (true) {
                        atlas.search("lake");
                        Thread.sleep(20);
                    }
                });
            }
        }
    }
}

/** The service that draws tiles. */
final class Tiles {

    int fetch(int number) {
        try {
            Thread.sleep(20); // the tile is drawn
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 900 + number % 200;
    }
}
