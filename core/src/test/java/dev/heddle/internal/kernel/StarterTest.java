package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.procs.ProcsWatcher;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// The thread that makes machines. Without it a scheduler that needs another machine would freeze.
class StarterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Whatever fails in a step of the starter, a bug in Heddle included: the next step makes a machine again.
    @Test
    void aBugDoesNotEndTheStarter() throws Exception {
        try (Rig rig = Rig.procs(1)) {
            Kernel kernel = rig.kernel();
            AtomicReference<Object> limits = stateOf(kernel.limits.watcher());
            Object sound = limits.getAndSet(null); // reading the limits now fails
            long before = kernel.stats().repaired();
            kernel.starter.signal();
            await("the starter has failed")
                    .atMost(PATIENCE)
                    .until(() -> kernel.stats().repaired() > before);
            limits.set(sound);
            rig.await(rig.goMany(1, () -> {})); // the first goroutine needs the first machine
            assertThat(kernel.starter.isAlive()).isTrue();
        }
    }

    @SuppressWarnings("unchecked")
    private static AtomicReference<Object> stateOf(ProcsWatcher watcher) throws ReflectiveOperationException {
        Field state = ProcsWatcher.class.getDeclaredField("state");
        state.setAccessible(true);
        return (AtomicReference<Object>) state.get(watcher);
    }
}
