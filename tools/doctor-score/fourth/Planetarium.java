// problem: A chart of the sky is valid for half a second and takes some 150 ms to read its stars and 30 ms of CPU to
//     compute. When it expires, each of the 120 screens that asks before the first one is ready computes it by
//     itself, instead of one for all, and the CPU is used up.
// place: Charts.compute
// place: Charts.get
// remedy: Let one thread compute and the others wait for its result or show the old chart (single flight), and renew
//     before the chart expires.
// named: many threads run the same computation at once and use up the CPU (a cache stampede, or CPU-bound work of many
//     requests that holds the carriers) at the place
// half: CPU-bound work that holds carriers or makes others wait, without the place
// false: a deadlock, a lock, a pool, a slow downstream
// shows: computed is far more than two in a second; admitted is behind 250 in a second
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Planetarium {

    record Star(double right, double declination, double brightness) {}

    record Chart(double[] light, long computed) {
        boolean isValid() {
            return System.nanoTime() - computed < 500_000_000L;
        }
    }

    static final class Charts {
        private final Map<String, Chart> cache = new ConcurrentHashMap<>();
        private final Star[] stars = new Star[3_000];
        private final LongAdder computed = new LongAdder();

        Charts() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            for (int i = 0; i < stars.length; i++) {
                stars[i] = new Star(random.nextDouble(6.28), random.nextDouble(-1.57, 1.57), random.nextDouble());
            }
        }

        Chart get(String sky) throws InterruptedException {
            Chart chart = cache.get(sky);
            if (chart == null || !chart.isValid()) {
                chart = compute(sky);
                cache.put(sky, chart);
            }
            return chart;
        }

        private Chart compute(String sky) throws InterruptedException {
            Thread.sleep(150); // the stars come from a database
            double[] light = new double[900];
            double turn = (System.nanoTime() / 1e9 + sky.length()) % 6.28;
            for (Star star : stars) {
                double height = Math.sin(star.declination()) + Math.cos(star.right() + turn);
                for (int i = 0; i < light.length; i++) {
                    double distance = height - i / 450.0;
                    light[i] += star.brightness() * Math.exp(-distance * distance * 40);
                }
            }
            computed.increment();
            return new Chart(light, System.nanoTime());
        }
    }

    record Screen(Charts charts, LongAdder shown) {
        void show() {
            try {
                while (true) {
                    charts.get("north");
                    shown.increment();
                    Thread.sleep(100);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void admit(LongAdder admitted) {
        try {
            while (true) {
                Thread.sleep(20);
                admitted.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Charts charts = new Charts();
        LongAdder shown = new LongAdder();
        LongAdder admitted = new LongAdder();
        for (int i = 0; i < 120; i++) {
            Thread.ofVirtual().name("screen-" + i).start(new Screen(charts, shown)::show);
        }
        for (int i = 0; i < 5; i++) {
            Thread.ofVirtual().name("door-" + i).start(() -> admit(admitted));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("computed " + charts.computed.sumThenReset() + ", shown " + shown.sumThenReset()
                    + ", admitted " + admitted.sumThenReset());
        }
    }
}
