package dev.heddle.internal.observe;

import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Recording;

/// Tells a recording for how long the container's quota has kept the process from running. One thread.
final class ThrottledTime {

    private long nanosBefore = -1;

    void note(Recording recording) {
        for (Kernel kernel : Inspector.kernels()) { // the quota is the process's, so any scheduler has the figures
            long nanos = kernel.limits().limits().throttling().throttledNanos();
            if (nanosBefore >= 0 && nanos > nanosBefore) {
                recording.foreign().note(EventKind.THROTTLED, -1, nanos - nanosBefore, 0, 0, 0);
            }
            nanosBefore = nanos;
            return;
        }
    }
}
