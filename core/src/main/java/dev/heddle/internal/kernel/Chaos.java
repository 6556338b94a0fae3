package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import java.util.concurrent.ThreadLocalRandom;

/// Chaos for tests: with `-Dheddle.randomize=true` every protocol step may be delayed, and every order that Heddle
/// does not promise is shuffled (Go: randomizeScheduler). Off, a point is a constant false and costs nothing.
final class Chaos {
    static final boolean ON = Boolean.getBoolean("heddle.randomize");

    private Chaos() {}

    /// A step of a protocol, between two accesses that another thread may come between.
    static void point() {
        if (ON) {
            delay();
        }
    }

    /// True half of the time in chaos mode, never otherwise: for orders that may be shuffled.
    static boolean coin() {
        return ON && (random() & 1) == 0;
    }

    private static void delay() {
        int dice = random() & 1023;
        if (dice < 2) {
            Jdk.parkCarrier(1 + (random() & 0xFFFF)); // up to 65 us, plus timer slack: another thread runs
            Jdk.unparkCarrier(Jdk.currentCarrierThread()); // it may have eaten a permit: see KernelLock
        } else if (dice < 64) {
            int spins = random() & 1023;
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
        }
    }

    /// Not ThreadLocalRandom's instance methods on a virtual thread: any cheap hash of time will do.
    private static int random() {
        long x = System.nanoTime() * 0x9E3779B97F4A7C15L;
        return (int) (x >>> 40) ^ Thread.currentThread().hashCode();
    }

    /// For constructors of per-machine generators.
    static int seed() {
        return ThreadLocalRandom.current().nextInt() | 1;
    }
}
