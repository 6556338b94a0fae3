import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Measures second by second how late a ticker of 1 ms is beside threads that compute without end.
///
/// `java -javaagent:core/target/heddle.jar=procs=2 tools/HogTicks.java HOGS SECONDS [IDLE_MILLIS]`
///
/// With IDLE_MILLIS the scheduler is used once and left idle before the hogs start, so that it has prepared for them.
public class HogTicks {

    private static volatile boolean stop;

    public static void main(String[] args) throws InterruptedException {
        if (args.length < 2) {
            System.err.println("usage: HogTicks HOGS SECONDS [IDLE_MILLIS]");
            System.exit(2);
        }
        int hogs = Integer.parseInt(args[0]);
        int seconds = Integer.parseInt(args[1]);
        if (args.length > 2) {
            Thread.startVirtualThread(() -> {}).join();
            Thread.sleep(Long.parseLong(args[2]));
        }
        List<List<Double>> lateBySecond = new ArrayList<>();
        for (int i = 0; i < seconds; i++) {
            lateBySecond.add(new ArrayList<>());
        }
        long start = System.nanoTime();
        Thread ticker = Thread.startVirtualThread(() -> tick(start, lateBySecond));
        for (int i = 0; i < hogs; i++) {
            Thread.startVirtualThread(HogTicks::compute);
        }
        ticker.join();
        stop = true;
        List<Double> all = new ArrayList<>();
        for (int i = 0; i < seconds; i++) {
            report("second " + (i + 1), lateBySecond.get(i));
            all.addAll(lateBySecond.get(i));
        }
        report("all", all);
        Runtime.getRuntime().halt(0); // without waiting for the hogs
    }

    private static void compute() {
        long sum = 0;
        while (!stop) {
            sum++;
        }
        if (sum == 0) {
            throw new IllegalStateException("computed nothing");
        }
    }

    private static void tick(long start, List<List<Double>> lateBySecond) {
        long period = TimeUnit.MILLISECONDS.toNanos(1);
        long second = TimeUnit.SECONDS.toNanos(1);
        while (true) {
            long due = System.nanoTime() + period;
            try {
                TimeUnit.NANOSECONDS.sleep(period);
            } catch (InterruptedException e) {
                return;
            }
            long now = System.nanoTime();
            int index = (int) ((now - start) / second);
            if (index >= lateBySecond.size()) {
                return;
            }
            lateBySecond.get(index).add(Math.max(0, now - due) / 1e6);
        }
    }

    private static void report(String what, List<Double> late) {
        double[] sorted = late.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            System.out.printf("%-9s no tick%n", what);
            return;
        }
        System.out.printf(
                "%-9s %5d ticks, late by p50 %.2f ms, p99 %.1f ms, at most %.1f ms%n",
                what,
                sorted.length,
                sorted[sorted.length / 2],
                sorted[(sorted.length - 1) * 99 / 100],
                Arrays.stream(sorted).max().orElseThrow());
    }
}
