package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Sample;
import dev.heddle.stats.GoroutineState;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Most of the CPU time goes into one kind of call, made by one method of the program, which a program that works well
/// makes rarely: see [CostlyCall].
///
/// The pictures of running threads are a profile: with a share s of the CPU time, a method is in a share s of them.
final class HotCallRule implements Rule {

    /// CPU time of the process, as a share of one CPU. It is low, because a busy host gives a program that
    /// wants a whole CPU little more than this; that the program wants it show the threads that run in most
    /// dumps.
    private static final double CPU = 0.05;

    /// Share of the pictures of running threads that one method of the program has: more than all others together.
    private static final double SHARE = 0.5;

    /// Share of the dumps that show it: it takes a third of a CPU or more, and not in one burst.
    private static final double DUMPS_SHARE = 0.3;

    /// Pictures: with six, a share of a half is no chance of a method that has a tenth.
    private static final int PICTURES = 6;

    /// Wake-ups of waiting threads a second, for calls that are ordinary in themselves. A batch that does nothing else
    /// has hardly any; where others are served meanwhile, such calls take their time.
    private static final double WAKE_UPS_PER_SECOND = 10;

    /// One method of the program, in all dumps.
    private static final class Place {
        final Map<CostlyCall, List<GoroutineSample>> calls = new EnumMap<>(CostlyCall.class);
        int pictures;
        int dumps;
        int lastDump = -1;
    }

    @Override
    public Cause cause() {
        return Cause.HOT_CALL;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        if (seen.rate(Sample::cpuNanos) < CPU * 1e9) {
            return Optional.empty();
        }
        Map<String, Place> places = new HashMap<>();
        int pictures = 0;
        for (int i = 0; i < seen.dumps().size(); i++) {
            for (GoroutineSample running : running(seen.dumps().get(i))) {
                pictures++;
                add(running, i, places);
            }
        }
        int all = pictures;
        return places.values().stream()
                .filter(it -> it.pictures >= PICTURES && it.pictures >= SHARE * all)
                .filter(it -> it.dumps >= DUMPS_SHARE * seen.dumps().size())
                .flatMap(it -> it.calls.entrySet().stream()
                        .filter(call -> isWhatItDoes(call.getKey(), call.getValue(), it.pictures, seen))
                        .map(call -> finding(call.getKey(), call.getValue(), all, seen)))
                .findFirst();
    }

    private static void add(GoroutineSample running, int dump, Map<String, Place> places) {
        Frame top = running.usersTop();
        if (top == null) {
            return;
        }
        Place place = places.computeIfAbsent(top.className() + "." + top.method(), _ -> new Place());
        place.pictures++;
        if (place.lastDump != dump) {
            place.lastDump = dump;
            place.dumps++;
        }
        CostlyCall.of(running)
                .ifPresent(it ->
                        place.calls.computeIfAbsent(it, _ -> new ArrayList<>()).add(running));
    }

    /// The threads that use a CPU: running ones, and threads in a system call that has no reason to wait, such as a
    /// connection to a peer that refuses it.
    private static List<GoroutineSample> running(Dump dump) {
        List<GoroutineSample> running = new ArrayList<>();
        for (GoroutineStats thread : Locks.byId(dump).values()) {
            if (thread.state() == GoroutineState.RUNNING || thread.state() == GoroutineState.SYSCALL) {
                GoroutineSample sample = GoroutineSample.of(thread);
                boolean computes = thread.state() == GoroutineState.RUNNING
                        || CostlyCall.of(sample)
                                .filter(it -> it == CostlyCall.FAILURE)
                                .isPresent();
                if (computes && sample.usersTop() != null) {
                    running.add(sample);
                }
            }
        }
        return running;
    }

    private static boolean isWhatItDoes(
            CostlyCall call, List<GoroutineSample> pictures, int ofPlace, Observation seen) {
        return pictures.size() >= call.share() * ofPlace
                && call.isProvenBy(pictures)
                && (!call.isOrdinary() || Hogs.wakeUpsPerSecond(seen) >= WAKE_UPS_PER_SECOND);
    }

    private static Finding finding(CostlyCall call, List<GoroutineSample> pictures, int all, Observation seen) {
        GoroutineSample one = pictures.getLast();
        return Finding.of(
                        Cause.HOT_CALL,
                        "%d of %d pictures of running threads show %s, called at %s"
                                .formatted(pictures.size(), all, call.words(), one.place()),
                        "the process used %.1f CPUs meanwhile".formatted(seen.rate(Sample::cpuNanos) / 1e9))
                .at(one)
                .toDo(call.remedyAt(one.place()));
    }
}
