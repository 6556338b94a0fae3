package dev.heddle.internal.kernel;

import dev.heddle.internal.procs.ProcsWatcher;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicReference;

/// Makes every helper thread of a kernel that reads its limits fail, as a bug in Heddle would, until this is closed.
final class BrokenLimits implements AutoCloseable {

    private final AtomicReference<Object> limits;
    private final Object sound;

    BrokenLimits(Kernel kernel) throws ReflectiveOperationException {
        limits = stateOf(kernel.limits.watcher());
        sound = limits.getAndSet(null);
    }

    @SuppressWarnings("unchecked")
    private static AtomicReference<Object> stateOf(ProcsWatcher watcher) throws ReflectiveOperationException {
        Field state = ProcsWatcher.class.getDeclaredField("state");
        state.setAccessible(true);
        return (AtomicReference<Object>) state.get(watcher);
    }

    @Override
    public void close() {
        limits.set(sound);
    }
}
