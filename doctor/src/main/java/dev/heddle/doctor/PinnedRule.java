package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Sample;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.MachineStats;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Virtual threads that wait and cannot leave their carriers: below them on the stack is a native frame or a class
/// initialiser, or they wait for the initialiser that another thread runs.
final class PinnedRule implements Rule {

    /// Threads at the same time. One or two may be the callbacks of a native library, which is its way to work.
    private static final int THREADS = 3;

    /// Share of the dumps: most of the time, not a burst.
    private static final double SHARE = 0.5;

    private static final int DUMPS = 3;

    private static final String INITIALISER = "<clinit>";

    /// What one dump shows.
    ///
    /// @param initialiser a thread that waits in a class initialiser; null if none does
    /// @param waiters     the threads that wait for a class to be initialised
    /// @param natives     the threads that wait above a native frame
    private record Pins(
            @Nullable GoroutineSample initialiser, List<GoroutineSample> waiters, List<GoroutineSample> natives) {

        int size() {
            return waiters.size() + natives.size() + (initialiser == null ? 0 : 1);
        }
    }

    @Override
    public Cause cause() {
        return Cause.PINNED_CARRIERS;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        List<Pins> all = new ArrayList<>();
        for (Dump dump : seen.dumps()) {
            Pins pins = pins(dump, blockedAt(dump.nanoTime(), seen));
            if (pins.size() >= THREADS) {
                all.add(pins);
            }
        }
        if (all.size() < DUMPS || all.size() < SHARE * seen.dumps().size()) {
            return Optional.empty();
        }
        Pins worst =
                all.stream().max((a, b) -> Integer.compare(a.size(), b.size())).orElseThrow();
        String often =
                "in %d of %d dumps %d or more carriers were pinned by threads that wait, %d at most; there are %d processors"
                        .formatted(
                                all.size(),
                                seen.dumps().size(),
                                THREADS,
                                worst.size(),
                                seen.last().snapshot().stats().procs());
        return Optional.of(
                worst.initialiser() == null
                        ? ofNatives(often, worst.natives().getFirst())
                        : ofInitialiser(often, worst.initialiser(), worst.waiters()));
    }

    private static Finding ofInitialiser(String often, GoroutineSample first, List<GoroutineSample> waiters) {
        Frame initialiser = first.frames().stream()
                .filter(it -> it.method().equals(INITIALISER))
                .findFirst()
                .orElseThrow();
        List<String> evidence = new ArrayList<>(List.of(
                often,
                "goroutine %d runs the initialiser of %s and waits in it (%s) at %s"
                        .formatted(first.goroutine().id(), initialiser.className(), first.doing(), first.place())));
        if (!waiters.isEmpty()) {
            evidence.add("%d threads wait until that class is initialised, for example at %s"
                    .formatted(waiters.size(), waiters.getFirst().place()));
        }
        return new Finding(Cause.PINNED_CARRIERS, evidence, 0, List.of())
                .at(first)
                .toDo(
                        "Take what waits at %s out of the static initialiser of %s: initialise it in a method, under a ReentrantLock, or before the threads start (Class.forName in main)."
                                .formatted(first.place(), initialiser.className()));
    }

    private static Finding ofNatives(String often, GoroutineSample pinned) {
        Frame frame = nativeFrame(pinned);
        String below = frame == null ? "a native method" : frame.className() + "." + frame.method();
        return new Finding(
                        Cause.PINNED_CARRIERS,
                        List.of(
                                often,
                                "goroutine %d waits (%s) at %s, called from native code (%s)"
                                        .formatted(pinned.goroutine().id(), pinned.doing(), pinned.place(), below)),
                        0,
                        List.of())
                .at(pinned)
                .toDo(
                        "Do not wait at %s, which native code calls: let the callback put its data into a queue and return. If it has to wait there, run it on platform threads (Executors.newFixedThreadPool)."
                                .formatted(pinned.place()));
    }

    private static Pins pins(Dump dump, Set<Long> blocked) {
        GoroutineSample initialiser = null;
        List<GoroutineSample> runners = new ArrayList<>();
        List<GoroutineSample> natives = new ArrayList<>();
        for (GoroutineStats goroutine : dump.goroutines()) {
            boolean isBlocked = goroutine.machine() >= 0
                    && (goroutine.state() == GoroutineState.PINNED
                            || goroutine.state() == GoroutineState.SYSCALL
                            || blocked.contains(goroutine.id()));
            if (!isBlocked || goroutine.stack().isEmpty()) {
                continue;
            }
            GoroutineSample sighting = GoroutineSample.of(goroutine);
            boolean inProgram = sighting.frames().getFirst().isUsers()
                    && !isNative(goroutine.stack().getFirst());
            if (inProgram) {
                runners.add(sighting); // the JVM makes it wait, and shows no frame for that
            } else if (sighting.frames().stream().anyMatch(it -> it.method().equals(INITIALISER))) {
                initialiser = sighting;
            } else if (waitsOnCarrier(sighting)) {
                natives.add(sighting);
            }
        }
        return new Pins(initialiser, initialiser == null ? List.of() : runners, natives);
    }

    /// Whether the thread waits in Java, and the JDK had to park its carrier. A thread in a blocking native call does
    /// not: see [BlockingCallsRule].
    private static boolean waitsOnCarrier(GoroutineSample sighting) {
        return sighting.isIn("java.lang.VirtualThread", "parkOnCarrierThread")
                || (sighting.isIn("java.lang.Object", "wait0") && nativeFrame(sighting) != null);
    }

    /// The innermost native frame below the wait; null if the stack shows none, as for a call through a method handle.
    private static @Nullable Frame nativeFrame(GoroutineSample sighting) {
        boolean below = false;
        for (String frame : sighting.goroutine().stack()) {
            Frame parsed = Frame.parse(frame);
            below |= parsed != null && parsed.isUsers();
            if (below && isNative(frame)) {
                return parsed;
            }
        }
        return null;
    }

    private static boolean isNative(String frame) {
        return frame.endsWith("(Native Method)");
    }

    /// The goroutines whose carriers are blocked in the sample nearest to this time.
    private static Set<Long> blockedAt(long nanoTime, Observation seen) {
        Sample nearest = seen.samples().stream()
                .min((a, b) -> Long.compare(distance(a, nanoTime), distance(b, nanoTime)))
                .orElseThrow();
        Set<Long> blocked = new HashSet<>();
        for (MachineStats machine : nearest.snapshot().machines()) {
            if (!machine.hog() && (machine.blocked() || machine.processor() < 0)) {
                blocked.add(machine.goroutine());
            }
        }
        return blocked;
    }

    private static long distance(Sample sample, long nanoTime) {
        return Math.abs(sample.snapshot().nanoTime() - nanoTime);
    }
}
