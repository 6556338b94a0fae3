package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Goroutines that wait for the disk: in `fsync` or another call on a file, or behind a lock whose owner is in one.
final class SlowDiskRule implements Rule {

    /// Share of the dumps at which a call on a file is in progress: the disk is busy with this program most
    /// of the time.
    private static final double SHARE = 0.5;

    /// Goroutines that wait for the disk on average. A single one is a log writer or a journal that does its
    /// work.
    private static final double WAITING = 3;

    private static final int DUMPS = 3;

    private static final Set<String> CLASSES = Set.of(
            "sun.nio.ch.UnixFileDispatcherImpl",
            "sun.nio.ch.FileDispatcherImpl",
            "java.io.FileDescriptor",
            "java.nio.MappedMemoryUtils",
            "java.io.FileOutputStream",
            "java.io.FileInputStream",
            "java.io.RandomAccessFile");

    private static final String[] CALLS = {
        "force0",
        "sync0",
        "write0",
        "pwrite0",
        "writev0",
        "read0",
        "pread0",
        "writeBytes",
        "writeBytes0",
        "readBytes",
        "readBytes0"
    };

    /// The native frame is the innermost one; a wrapper or two may be above it.
    private static final int INNERMOST = 3;

    @Override
    public Cause cause() {
        return Cause.SLOW_DISK;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        List<Dump> dumps = seen.dumps();
        if (dumps.size() < DUMPS) {
            return Optional.empty();
        }
        int busy = 0;
        int inCall = 0;
        int behind = 0;
        Map<String, Integer> calls = new HashMap<>();
        Map<String, GoroutineSample> members = new HashMap<>();
        for (Dump dump : dumps) {
            Map<Long, GoroutineSample> users = new HashMap<>();
            for (GoroutineStats goroutine : dump.goroutines()) {
                GoroutineSample sample = GoroutineSample.of(goroutine);
                callOf(sample).ifPresent(call -> {
                    users.put(goroutine.id(), sample);
                    calls.merge(call, 1, Integer::sum);
                    members.put(call, sample);
                });
            }
            busy += users.isEmpty() ? 0 : 1;
            inCall += users.size();
            behind += Math.toIntExact(dump.goroutines().stream()
                    .filter(it -> users.containsKey(it.owner()))
                    .count());
        }
        double waiting = (double) (inCall + behind) / dumps.size();
        if (busy < SHARE * dumps.size() || waiting < WAITING) {
            return Optional.empty();
        }
        String most = calls.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        Finding finding = Finding.of(
                Cause.SLOW_DISK,
                "at %d of %d looks a call on a file was in progress, mostly %s".formatted(busy, dumps.size(), most),
                "%.1f goroutines on average were in such a call, and %.1f waited for a lock that one of them held"
                        .formatted((double) inCall / dumps.size(), (double) behind / dumps.size()));
        GoroutineSample one = members.get(most);
        return Optional.of(one == null ? finding : finding.at(one));
    }

    /// The call on a file that the goroutine is in, `fsync` if it is one that waits for the disk itself.
    static Optional<String> callOf(GoroutineSample sample) {
        for (Frame frame :
                sample.frames().subList(0, Math.min(INNERMOST, sample.frames().size()))) {
            if (CLASSES.contains(frame.className()) && frame.is(frame.className(), CALLS)) {
                boolean isSync =
                        frame.method().startsWith("force") || frame.method().startsWith("sync");
                return Optional.of(isSync ? "fsync" : frame.method().startsWith("read") ? "read" : "write");
            }
        }
        return Optional.empty();
    }
}
