package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.FlightRecorderState;
import org.jspecify.annotations.Nullable;

/// Notices that the JVM's flight recorder was started, and has the kernel's events reported from then on.
///
/// The system monitor notices it, because it runs whenever there is something to report. The starter acts, because the
/// reporter is a new thread. Until then nothing of the recorder is loaded.
final class RecorderFollower {

    private final Kernel kernel;
    private volatile @Nullable FlightLink link;
    private volatile boolean isNoticed;

    /// What reads the events; null while they are not wanted.
    private volatile @Nullable EventFeed feed;

    // System monitor only.
    private boolean isSearched;
    private @Nullable FlightRecorderState recorder;

    // Starter only.
    private boolean hasBegun;

    RecorderFollower(Kernel kernel) {
        this.kernel = kernel;
    }

    void setLink(FlightLink toRecorder) {
        link = toRecorder;
    }

    void setFeed(@Nullable EventFeed wanted) {
        feed = wanted;
    }

    /// Checks whether the recorder was started. System monitor only.
    void follow() {
        if (isNoticed || link == null) {
            return;
        }
        if (!isSearched) {
            isSearched = true;
            try {
                recorder = FlightRecorderState.find();
            } catch (ReflectiveOperationException _) {
                recorder = null; // another JDK: there are no events. FlightRecorderStateTest fails there
            }
        }
        if (recorder != null && recorder.isStarted()) {
            isNoticed = true;
            kernel.starter.signal();
        }
    }

    /// Applies what [#follow] found. Starter only.
    void apply() {
        FlightLink toRecorder = link;
        if (isNoticed && !hasBegun && toRecorder != null) {
            hasBegun = true;
            toRecorder.begin(kernel);
        }
    }

    // ---- events. System monitor only, without a lock. No class is used first here: with a feed, all are loaded.

    void tookDeclared(Processor processor, Machine machine, long blockedNanos) {
        EventFeed wanted = feed;
        if (wanted != null) {
            wanted.add(EventFeed.Kind.DECLARED, processor.id, machine, blockedNanos);
        }
    }

    void tookUndeclared(Processor processor, Machine machine, long asleepNanos) {
        EventFeed wanted = feed;
        if (wanted != null) {
            wanted.add(EventFeed.Kind.UNDECLARED, processor.id, machine, asleepNanos);
        }
    }

    void tookHog(Processor processor, Machine machine, long cpuNanos) {
        EventFeed wanted = feed;
        if (wanted != null) {
            wanted.add(EventFeed.Kind.HOG, processor.id, machine, cpuNanos);
        }
    }

    /// A thread that had lost its processor for blocking computes too long.
    void foundHog(Machine machine, long cpuNanos) {
        EventFeed wanted = feed;
        if (wanted != null) {
            wanted.add(EventFeed.Kind.DETACHED_HOG, -1, machine, cpuNanos);
        }
    }

    // ---- the end

    /// The kernel has ended. Starter only.
    void end() {
        FlightLink toRecorder = link;
        if (hasBegun && toRecorder != null) {
            toRecorder.end();
        }
    }

    /// A part of the kernel has failed. Any thread that may wait.
    void bug(String message) {
        FlightLink toRecorder = link;
        if (toRecorder != null) {
            toRecorder.bug(message);
        }
    }

    /// The program is deadlocked. Any thread that may wait.
    void deadlock(String message) {
        FlightLink toRecorder = link;
        if (isNoticed && toRecorder != null) {
            toRecorder.deadlock(kernel, message);
        }
        if (toRecorder != null) {
            toRecorder.lastMoments(message);
        }
    }
}
