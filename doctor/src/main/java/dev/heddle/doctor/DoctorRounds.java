package dev.heddle.doctor;

import dev.heddle.client.JvmConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Examines a JVM again and again, and tells what changes. For one thread.
public final class DoctorRounds {

    /// Pause after each examination, as a multiple of the CPU time that it took in this process. So the
    /// examinations take one CPU for at most a hundredth of the time; the recording in the JVM limits itself in
    /// the same way.
    private static final int REST = 100;

    /// The first examinations run interpreted, and would demand a long pause.
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final Duration window;
    private final FindingLog log = new FindingLog();
    private Duration pause = Duration.ZERO;

    /// @param window how long each examination watches
    public DoctorRounds(Duration window) {
        this.window = window;
    }

    /// Watches for the length of the window. Returns what has changed since the last time, and tells the JVM
    /// what is new, for its flight recorder.
    ///
    /// @throws IOException with one sentence, if the JVM does not answer
    public List<FindingLog.Change> examine(JvmConnection jvm) throws IOException {
        long cpuBefore = cpuNanos();
        List<FindingLog.Change> changes = log.update(Diagnosis.of(List.of(DoctorSession.of(jvm, window))));
        for (FindingLog.Change change : changes) {
            if (change.isNew()) {
                FindingEvents.tell(jvm, change.scheduler(), change.finding());
            }
        }
        long nanos = Math.min(REST * (cpuNanos() - cpuBefore), LONGEST_PAUSE.toNanos()) - window.toNanos();
        pause = Duration.ofNanos(Math.max(0, nanos)); // none if the window was longer
        return changes;
    }

    /// The pause that is due after the last examination.
    public Duration pause() {
        return pause;
    }

    private static long cpuNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }
}
