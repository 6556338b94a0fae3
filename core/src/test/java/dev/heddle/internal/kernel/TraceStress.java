package dev.heddle.internal.kernel;

import dev.heddle.internal.trace.EventKind;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/// Records [KernelStress] on two schedulers, again and again, switched on and off under load. Needs no test library, so
/// that it runs as the main class of a JVM as well.
final class TraceStress {

    /// For each event, on average: with the names, and what else a file has.
    private static final long MOST_BYTES = 8;

    /// In a few events the beginnings of files and buffers are most of the bytes.
    private static final long ENOUGH_EVENTS = 10_000;

    private static final long LONGEST_NANOS = 200_000_000;

    private TraceStress() {}

    /// Arguments: seconds, and perhaps a seed.
    public static void main(String[] args) throws InterruptedException {
        long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime();
        System.out.println(run(Long.parseLong(args[0]), seed));
    }

    /// Runs for so many seconds. Returns what it saw; throws if a recording is impossible.
    static String run(long seconds, long seed) throws InterruptedException {
        System.out.println("trace stress: seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] loads = new Thread[2];
        for (int i = 0; i < loads.length; i++) {
            long its = random.nextLong();
            loads[i] = new Thread(() -> {
                try {
                    KernelStress.run(seconds, its);
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            loads[i].start();
        }
        int recordings = 0;
        long events = 0;
        long bytes = 0;
        long dropped = 0;
        Map<EventKind, Integer> counts = new TreeMap<>();
        while (loads[0].isAlive() && loads[1].isAlive()) {
            boolean isFirst = recordings == 0;
            int stacksEvery = isFirst || random.nextBoolean() ? 0 : random.nextInt(1, 20);
            TestRecording recording = new TestRecording(stacksEvery);
            LockSupport.parkNanos(isFirst ? LONGEST_NANOS : random.nextLong(LONGEST_NANOS));
            TestRecording.Content content = recording.stop();
            recordings++;
            if (stacksEvery == 0) {
                events += content.events().size();
                bytes += content.bytes();
            }
            dropped += content.dropped();
            if (content.dropped() == 0) {
                TraceCheck.check(content).forEach((kind, count) -> counts.merge(kind, count, Integer::sum));
            }
        }
        for (Thread load : loads) {
            load.join();
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
        if (events > ENOUGH_EVENTS && bytes > MOST_BYTES * events) {
            throw new AssertionError(bytes + " bytes for " + events + " events");
        }
        return "recordings " + recordings + ", events " + events + ", bytes/event "
                + (double) bytes / Math.max(1, events) + ", dropped " + dropped + ", " + counts;
    }
}
