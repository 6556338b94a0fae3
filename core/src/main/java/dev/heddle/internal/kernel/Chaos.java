package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.settings.Settings;
import java.util.concurrent.ThreadLocalRandom;

/// Random delays and orders for tests. With `-Dheddle.randomize=true` every protocol step may be delayed, and every
/// order that Heddle does not promise is shuffled (Go: randomizeScheduler). When off, the switch is a constant false
/// and costs nothing.
final class Chaos {
    static final boolean ON = Settings.randomizes();

    private Chaos() {}

    /// A step of a protocol, placed between two memory accesses that another thread may interleave with.
    static void point() {
        if (ON) {
            delay();
        }
    }

    /// True about half of the time in chaos mode, never otherwise. For orders that may be shuffled.
    static boolean coin() {
        return ON && (random() & 1) == 0;
    }

    private static void delay() {
        int dice = random() & 1023;
        if (dice < 2) {
            Jdk.parkCarrier(1 + (random() & 0xFFFF)); // up to 65 us, plus timer slack: lets another thread run
            Jdk.unparkCarrier(Jdk.currentCarrierThread()); // the park may have consumed a permit: see SchedulerLock
        } else if (dice < 64) {
            int spins = random() & 1023;
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
        }
    }

    /// A cheap hash of the time is random enough. Does not use ThreadLocalRandom, since the caller may be a virtual
    /// thread.
    private static int random() {
        long x = Jdk.nanoTime() * 0x9E3779B97F4A7C15L;
        return (int) (x >>> 40) ^ Thread.currentThread().hashCode();
    }

    /// A seed for the random generator of a machine.
    static int seed() {
        return ThreadLocalRandom.current().nextInt() | 1;
    }
}
