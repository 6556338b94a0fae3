package dev.heddle.testkit.tests;

import dev.heddle.testkit.Bubble;

/// Tests whose step never ends, as a program of its own: `compute` passes no point, and `lock` waits for a monitor in a
/// class initialiser.
final class NeverUnmounts {

    private NeverUnmounts() {}

    public static void main(String[] arguments) {
        switch (arguments[0]) {
            case "compute" -> Bubble.check(_ -> compute());
            case "lock" -> Bubble.check(NeverUnmounts::lock);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static final Object MONITOR = new Object();

    private static void lock(Bubble bubble) {
        Thread _ = Thread.startVirtualThread(NeverUnmounts::sleepInTheMonitor);
        bubble.settle();
        System.out.println(LocksInItsInitialiser.DONE);
    }

    private static void sleepInTheMonitor() {
        synchronized (MONITOR) {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final class LocksInItsInitialiser {
        static final Object DONE;

        static {
            synchronized (MONITOR) {
                DONE = new Object();
            }
        }
    }

    private static void compute() {
        for (long number = 1; number != 0; number += 2) {
            Math.sqrt(number);
        }
    }
}
