package dev.heddle.internal.jdk;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.internal.vm.ThreadContainer;
import jdk.internal.vm.ThreadContainers;

/// The container that holds the threads of goroutines in the JVM's thread dumps: one per scheduler.
///
/// The JVM's root container records every start and end in one concurrent set, which costs more than a goroutine
/// does. The kernel tracks its shells anyway; this container asks the kernel.
public abstract class GoroutineContainer extends ThreadContainer {

    private final String name;
    private final Object registration;

    @SuppressWarnings("this-escape") // registered last
    protected GoroutineContainer(String name) {
        super(/* shared= */ true);
        this.name = name;
        this.registration = ThreadContainers.registerContainer(this);
    }

    /// Adds the live threads of goroutines.
    protected abstract void collectThreads(List<Thread> into);

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Stream<Thread> threads() {
        List<Thread> threads = new ArrayList<>();
        collectThreads(threads);
        return threads.stream();
    }

    /// Starts a virtual thread here.
    public final void start(Thread thread) {
        Jdk.startIn(thread, this);
    }

    /// The scheduler has ended.
    public final void end() {
        ThreadContainers.deregisterContainer(registration);
    }
}
