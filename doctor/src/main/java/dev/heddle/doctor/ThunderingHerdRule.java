package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Many goroutines wait at one condition or monitor, all are woken for each event, and nearly all wait again.
///
/// It takes three facts. Many goroutines are at one wait in nearly all dumps. They are woken all the time: the
/// scheduler switches many times a second for each of them, and dumps show them awake inside the wait, or in another
/// wait than before. And the code wakes all: it calls `notifyAll` or `signalAll`.
final class ThunderingHerdRule implements Rule {

    /// Fewer waiters cost less than finding the right one.
    private static final int WAITERS = 20;

    /// Switches a second and waiter. A broadcast that all wait for, such as a tick, comes less often.
    private static final double WAKES = 10;

    /// Switches a second: below it, the herd costs some percent of a CPU at most.
    private static final double SWITCHES = 2_000;

    /// Share of a waiter's sightings at the wait: it hardly ever finds something to do.
    private static final double AT_WAIT = 0.8;

    /// Share of the sightings at which a waiter was awake, or in another wait than before.
    private static final double STIRRED = 0.1;

    /// The dumps of a program with thousands of goroutines are few.
    private static final int SIGHTINGS = 2;

    /// A dump takes its time, and its pictures are of different moments in it.
    private static final double CLOCKS = 0.5;

    private static final Set<String> WAKING_ALL = Set.of("notifyAll", "signalAll");

    /// The waiters at one place.
    private static final class Herd {
        private final Map<Long, Integer> sightings = new HashMap<>();
        private int all;
        private int stirred;
        private GoroutineSample one;

        Herd(GoroutineSample one) {
            this.one = one;
        }
    }

    @Override
    public Cause cause() {
        return Cause.THUNDERING_HERD;
    }

    /// A slow start makes threads wait, but does not wake them for nothing.
    @Override
    public boolean needsWarmth() {
        return false;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        double switches = seen.rate(it -> it.snapshot().stats().switches());
        if (switches < SWITCHES || seen.dumps().size() < SIGHTINGS) {
            return Optional.empty();
        }
        CodeReader code = new CodeReader(seen.classes());
        int dumps = seen.dumps().size();
        List<Herd> herds = new ArrayList<>(herds(seen.dumps()).values());
        herds.removeIf(it -> members(it, dumps) < WAITERS
                || switches < WAKES * members(it, dumps)
                || it.stirred < STIRRED * it.all
                || !wakesAll(it, code));
        return herds.stream()
                .max((a, b) -> Long.compare(members(a, dumps), members(b, dumps)))
                .map(it -> Finding.of(
                                Cause.THUNDERING_HERD,
                                "%d goroutines wait at %s, and all are woken for each event"
                                        .formatted(members(it, dumps), it.one.place()),
                                "%,.0f switches a second; at %.0f %% of the looks a waiter was awake, or had been, and was back in its wait"
                                        .formatted(switches, 100.0 * it.stirred / it.all))
                        .at(it.one));
    }

    private static long members(Herd herd, int dumps) {
        return herd.sightings.values().stream()
                .filter(it -> it >= AT_WAIT * dumps)
                .count();
    }

    private static Map<String, Herd> herds(List<Dump> dumps) {
        Map<String, Herd> herds = new HashMap<>();
        Map<Long, Integer> before = Map.of();
        Set<Long> waitedBefore = Set.of();
        long lastTime = Long.MAX_VALUE;
        for (Dump dump : dumps) {
            Map<Long, Integer> now = WaitNumbers.of(dump);
            Set<Long> waiting = new HashSet<>();
            double between = (dump.nanoTime() - lastTime) * CLOCKS;
            for (GoroutineStats goroutine : dump.goroutines()) {
                GoroutineSample sample = GoroutineSample.of(goroutine);
                if (isInWait(sample)) {
                    Herd herd = herds.computeIfAbsent(sample.place(), _ -> new Herd(sample));
                    herd.sightings.merge(goroutine.id(), 1, Integer::sum);
                    herd.all++;
                    if (goroutine.state() == GoroutineState.WAITING) {
                        herd.one = sample;
                    }
                    if (isAwake(sample)
                            || isAnotherWait(before.get(goroutine.id()), now.get(goroutine.id()))
                            || (waitedBefore.contains(goroutine.id()) && hasRun(goroutine, between))) {
                        herd.stirred++;
                    }
                    waiting.add(goroutine.id());
                }
            }
            before = now;
            waitedBefore = waiting;
            lastTime = dump.nanoTime();
        }
        return herds;
    }

    /// Whether a goroutine that the last dump showed waiting has run since. The JVM finds the mark again that
    /// it left in a waiting thread only if that has not.
    private static boolean hasRun(GoroutineStats goroutine, double nanosSinceLastDump) {
        return goroutine.state() == GoroutineState.WAITING
                && goroutine.seenNanos() >= 0
                && goroutine.seenNanos() < nanosSinceLastDump;
    }

    private static boolean isAnotherWait(@Nullable Integer before, @Nullable Integer now) {
        return before != null && now != null && !before.equals(now);
    }

    /// Whether the program's own code called the wait. The JDK's queues wake one thread for each entry.
    private static boolean isInWait(GoroutineSample sample) {
        boolean waits = false;
        for (Frame frame : sample.frames()) {
            if (frame.isUsers()) {
                return waits;
            }
            if (frame.is("java.lang.Object", "wait", "wait0")) {
                waits = true;
            } else if (frame.className().endsWith("AbstractQueuedSynchronizer$ConditionObject")) {
                waits = frame.method().startsWith("await");
            } else if (waits) {
                return false; // another class of the JDK waits
            }
        }
        return false;
    }

    /// Whether a notified goroutine has not yet left the wait: it is runnable, or wants the lock back.
    private static boolean isAwake(GoroutineSample sample) {
        return sample.isBusy() || sample.waitsFor("sync.Mutex.Lock");
    }

    /// Whether the class that waits, or one that is known of the program, wakes all waiters.
    private static boolean wakesAll(Herd herd, CodeReader code) {
        Frame waits = herd.one.usersTop();
        return waits != null && code.anyCall(it -> it.isLibrary() && WAKING_ALL.contains(it.method()));
    }
}
