// problem: The forecast asks its stations with supplyAsync and no executor, so that each blocking request takes a
//     thread of the common pool, which has one thread per processor less one. All forecasts of the service queue behind
//     them.
// place: Stations.measure
// place: Forecasts.forTown
// remedy: Give supplyAsync an executor for blocking work, such as one virtual thread per task.
// named: the common pool is saturated, or its threads blocked, by the stations' requests, at one of the places
// half: tasks or futures that wait long, without the common pool
// false: the stations are slow (each answers in 200 ms), a lock, too many threads
// shows: a forecast takes several seconds, though its four stations answer in 200 ms
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

public class Weathervane {

    record Reading(String station, double hectopascal) {}

    static final class Stations {
        Reading measure(String station) {
            try {
                Thread.sleep(200); // its modem
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new Reading(station, ThreadLocalRandom.current().nextDouble(990, 1030));
        }
    }

    static final class Forecasts {
        private final Stations stations = new Stations();
        private final AtomicLong count = new AtomicLong();
        private final AtomicLong millis = new AtomicLong();

        String forTown(String town) {
            long start = System.nanoTime();
            List<CompletableFuture<Reading>> readings = List.of("north", "east", "south", "west").stream()
                    .map(side -> CompletableFuture.supplyAsync(() -> stations.measure(town + " " + side)))
                    .toList();
            double mean = readings.stream()
                    .mapToDouble(it -> it.join().hectopascal())
                    .average()
                    .orElseThrow();
            millis.addAndGet((System.nanoTime() - start) / 1_000_000);
            count.incrementAndGet();
            return mean < 1_005 ? "rain" : "sun";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var forecasts = new Forecasts();
        for (int i = 0; i < 16; i++) {
            String town = "town-" + i;
            Thread.ofVirtual().name(town).start(() -> {
                try {
                    while (true) {
                        forecasts.forTown(town);
                        Thread.sleep(300);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            long count = forecasts.count.get();
            System.out.printf(
                    "forecasts %d, mean %d ms, queued in the common pool %d%n",
                    count, count == 0 ? 0 : forecasts.millis.get() / count,
                    ForkJoinPool.commonPool().getQueuedSubmissionCount());
        }
    }
}
