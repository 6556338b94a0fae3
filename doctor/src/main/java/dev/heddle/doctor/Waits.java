package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import java.util.HashMap;
import java.util.Map;

/// How long something lasts that only shows in successive dumps: a wait, or the time for which a thread holds a permit.
///
/// What lasts for T is still there in the next dump with probability 1 - d / T, d being the time between two dumps. So
/// the share that stays gives the mean of T. It is a lower bound for what never ends.
final class Waits {
    private int seen;
    private int stayed;
    private double nanos;
    private Map<Object, Integer> last = new HashMap<>();
    private long lastTime;
    private boolean hasBegun;

    /// Adds the next dump.
    ///
    /// @param present what is there, by thread, with a number that changes if it ends and begins anew meanwhile
    void add(Dump dump, Map<?, Integer> present) {
        if (hasBegun) {
            seen += last.size();
            double elapsed = dump.nanoTime() - lastTime;
            for (Map.Entry<Object, Integer> each : last.entrySet()) {
                if (each.getValue().equals(present.get(each.getKey()))) {
                    stayed++;
                }
            }
            nanos += elapsed * last.size();
        }
        hasBegun = true;
        last = new HashMap<>(present);
        lastTime = dump.nanoTime();
    }

    /// The mean duration in milliseconds; 0 if nothing was seen twice.
    double meanMillis() {
        if (seen == 0 || stayed == 0) {
            return 0;
        }
        double between = nanos / seen / 1e6;
        return between / Math.max(1.0 / (2 * seen), 1 - (double) stayed / seen);
    }

    /// The share that was still there in the next dump, 0 to 1.
    double stayShare() {
        return seen == 0 ? 0 : (double) stayed / seen;
    }

    /// The mean in words: "about 0.4 s", or "3 s or more" if it is as long as the observation.
    String describe(Observation seen) {
        return meanMillis() >= seen.seconds() * 1e3
                ? "%.0f s or more".formatted(seen.seconds())
                : "about %.1f s".formatted(meanMillis() / 1e3);
    }
}
