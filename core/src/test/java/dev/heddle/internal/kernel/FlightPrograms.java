package dev.heddle.internal.kernel;

import dev.heddle.Scheduler;
import dev.heddle.WaitGroup;
import dev.heddle.internal.jdk.Jdk;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/// Programs of [FlightSnapshotTest]: the first argument says which. Each prints a line when it has done what it should,
/// and ends when its input ends.
final class FlightPrograms {

    private static final int MANY = 500;
    private static final long TURN_NANOS = 1_000_000;

    private FlightPrograms() {}

    static void main(String[] arguments) throws Throwable {
        switch (arguments[0]) {
            case "late" -> makeGoroutinesWait();
            case "bug" -> {
                WaitGroup napper = new WaitGroup();
                napper.go(FlightPrograms::naps);
                napper.await();
                kernel().failures.reportBug("a part failed", new SchedulerBug("made up by a test"));
            }
            default -> throw new IllegalArgumentException(List.of(arguments).toString());
        }
        System.out.println("done");
        awaitEnd();
    }

    /// With one processor, the last of so many goroutines waits for all others, which never need a whole slice.
    private static void makeGoroutinesWait() throws InterruptedException {
        WaitGroup all = new WaitGroup();
        for (int i = 0; i < MANY; i++) {
            all.go(() -> {
                long begin = System.nanoTime();
                while (System.nanoTime() - begin < TURN_NANOS) {
                    Thread.onSpinWait();
                }
            });
        }
        all.await();
    }

    private static void naps() throws InterruptedException {
        Thread.sleep(1);
    }

    private static Kernel kernel() {
        Thread any = Scheduler.current().threadFactory().newThread(() -> {});
        return ((KernelPool) Objects.requireNonNull(Jdk.poolOf(any))).kernel();
    }

    private static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            // the test says when
        }
    }
}
