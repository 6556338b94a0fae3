package dev.heddle.kernel;

import dev.heddle.jdk.Jdk;

/// Prints the line of `GODEBUG=schedtrace` to standard error every so many milliseconds.
///
/// A thread of its own: whoever holds the lock of standard error must not be able to hold up the system
/// monitor.
public final class SchedTracer extends Thread implements KernelThread {

    private final Kernel kernel;
    private final long periodNanos;

    private SchedTracer(Kernel kernel, int periodMillis) {
        super(null, null, kernel.name() + "-schedtrace", 0, /* inheritInheritableThreadLocals= */ false);
        this.kernel = kernel;
        this.periodNanos = periodMillis * 1_000_000L;
        setDaemon(true);
    }

    public static void start(Kernel kernel, int periodMillis) {
        new SchedTracer(kernel, periodMillis).start();
    }

    @Override
    public void run() {
        long next = System.nanoTime();
        while (!kernel.isEnded()) {
            System.err.println(kernel.stats().schedTrace());
            next += periodNanos;
            for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                Jdk.parkCarrier(left);
                boolean _ = Thread.interrupted();
            }
        }
    }
}
