package dev.heddle.testkit.internal;

import dev.heddle.testkit.internal.weave.Points;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Ends the JVM if one step of a schedule takes a minute of real time, or as long as
/// `-Dheddle.test.watchdog=SECONDS` says: the test computes in a loop without a point, or blocks its carrier
/// below a native frame. Nothing can stop such a thread. Without the watchdog the build would hang.
final class Watchdog implements AutoCloseable {

    private static final String PROPERTY = "heddle.test.watchdog";
    private static final int DEFAULT_SECONDS = 60;
    private static final int STATUS = 3;

    private final Thread carrier;
    private final Points points;
    private final int limitSeconds;
    private final Thread dog;
    private volatile boolean isClosed;

    private Watchdog(Thread carrier, Points points) {
        this.carrier = carrier;
        this.points = points;
        limitSeconds = limitSeconds();
        dog = Thread.ofPlatform().daemon().name("heddle-testkit-watchdog").unstarted(this::watch);
    }

    private static int limitSeconds() {
        String text = System.getProperty(PROPERTY, "");
        if (text.isEmpty()) {
            return DEFAULT_SECONDS;
        }
        try {
            int seconds = Integer.parseInt(text);
            if (seconds > 0) {
                return seconds;
            }
        } catch (NumberFormatException _) {
            // refused below
        }
        throw new IllegalArgumentException(
                "-D" + PROPERTY + "=" + text + " is refused: it must be a number of seconds, at least 1.");
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
                Thread.sleep(Duration.ofSeconds(limitSeconds));
            } catch (InterruptedException _) {
                return; // closed
            }
        }
    }

    @SuppressWarnings("SystemExitOutsideMain") // see the class
    private void end() {
        Thread mounted = Hooks.mountedOn(carrier);
        StackTraceElement[] stack = mounted.getStackTrace();
        String reason = mounted.getState() == Thread.State.BLOCKED
                ? "it waits for a monitor while it is pinned, and a bubble has one carrier, so nothing in it could release"
                        + " the monitor; do not lock in a class initialiser or below a native frame"
                : "the test waits in a loop without a point, or blocks its carrier";
        StringBuilder text = new StringBuilder("heddle-testkit: a step has taken more than ")
                .append(limitSeconds)
                .append(" s, at ")
                .append(Frames.userFrame(stack, points))
                .append(": ")
                .append(reason)
                .append(". The JVM is ended.");
        for (StackTraceElement frame : stack) {
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
