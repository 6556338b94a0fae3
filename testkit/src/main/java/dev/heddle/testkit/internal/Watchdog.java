package dev.heddle.testkit.internal;

import dev.heddle.testkit.internal.weave.Points;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/// Ends the JVM if one step of a schedule takes a minute of real time: the test computes in a loop without a point, or
/// blocks its carrier below a native frame. Nothing can stop such a thread. Without the watchdog the build would hang.
final class Watchdog implements AutoCloseable {

    private static final long LIMIT_MILLIS = 60_000;
    private static final int STATUS = 3;

    private final Thread carrier;
    private final Points points;
    private final Thread dog;
    private volatile boolean isClosed;

    private Watchdog(Thread carrier, Points points) {
        this.carrier = carrier;
        this.points = points;
        dog = Thread.ofPlatform().daemon().name("heddle-testkit-watchdog").unstarted(this::watch);
    }

    /// Watches a carrier until closed. Not under a debugger, where a step takes as long as its user wants.
    static @Nullable Watchdog watch(Thread carrier, Points points) {
        boolean isDebugged = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .anyMatch(argument -> argument.contains("jdwp"));
        if (isDebugged) {
            return null;
        }
        Watchdog watchdog = new Watchdog(carrier, points);
        watchdog.dog.start();
        return watchdog;
    }

    private void watch() {
        long seen = -1;
        while (!isClosed) {
            long progress = Hooks.progressOf(carrier);
            if (progress >= 0 && progress == seen) {
                end();
                return;
            }
            seen = progress;
            try {
                Thread.sleep(LIMIT_MILLIS);
            } catch (InterruptedException _) {
                return; // closed
            }
        }
    }

    @SuppressWarnings("SystemExitOutsideMain") // see the class
    private void end() {
        StringBuilder text = new StringBuilder("heddle-testkit: a step has taken more than ")
                .append(LIMIT_MILLIS / 1000)
                .append(" s, at ")
                .append(Frames.userFrame(carrier.getStackTrace(), points))
                .append(": the test waits in a loop without a point, or blocks its carrier. The JVM is ended.");
        for (StackTraceElement frame : carrier.getStackTrace()) {
            text.append("\n    at ").append(frame);
        }
        System.err.println(text);
        Runtime.getRuntime().halt(STATUS);
    }

    @Override
    public void close() {
        isClosed = true;
        dog.interrupt();
    }
}
