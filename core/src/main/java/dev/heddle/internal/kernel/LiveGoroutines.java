package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.GoroutineContainer;
import java.util.List;

/// The goroutines of a kernel that have begun and not ended, for thread dumps.
final class LiveGoroutines extends GoroutineContainer {

    private final Kernel kernel;

    LiveGoroutines(Kernel kernel) {
        super(kernel.name());
        this.kernel = kernel;
    }

    @Override
    protected void collectThreads(List<Thread> into) {
        for (Processor processor : kernel.world.everyProcessor()) {
            processor.shells.collectThreads(into);
        }
    }
}
