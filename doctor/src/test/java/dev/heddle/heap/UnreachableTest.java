package dev.heddle.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.heddle.Chan;
import dev.heddle.Scheduler;
import dev.heddle.internal.observe.Sampler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goroutines of this JVM, and what a heap dump of it says of them.
class UnreachableTest {

    @TempDir
    private Path folder;

    private final Scheduler scheduler =
            Scheduler.builder().procs(2).name("leaky").build();

    /// The ids of threads, by kind; never the threads themselves.
    private final Set<Long> lost = ConcurrentHashMap.newKeySet();

    private int dumps;

    private final Set<Long> reachable = ConcurrentHashMap.newKeySet();
    private final Chan<Integer> end = Chan.make();

    @AfterEach
    void close() {
        end.close(); // those that were lost stay, and the scheduler with them
    }

    private static void note(Set<Long> kind) {
        kind.add(Thread.currentThread().threadId());
    }

    private Set<Long> unreachable(int goroutines) throws IOException {
        await().until(() -> lost.size() + reachable.size() == goroutines);
        await().until(() -> scheduler.stats().idleProcs() == 2);
        Path file = folder.resolve("heap" + dumps++ + ".hprof");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), /* live= */ true);
        return Unreachable.threadsIn(file);
    }

    private void lose() {
        Chan<Integer> nobodyElseHasIt = Chan.make();
        scheduler.go(() -> {
            note(lost);
            nobodyElseHasIt.receive();
        });
    }

    /// It remembers threads from one look to the next.
    @Test
    void theDoctorsRecorderKeepsNoGoroutineReachable() throws Exception {
        for (int i = 0; i < 5; i++) {
            lose();
        }
        Thread recorder = Thread.ofPlatform().daemon().start(() -> {
            try {
                new Sampler().record(Duration.ofMinutes(1), () -> false);
            } catch (InterruptedException _) {
                // interrupted, below
            }
        });
        await().until(() -> lost.size() == 5);
        Set<Long> found = Set.of();
        for (int tries = 0; tries < 5 && !found.containsAll(lost); tries++) { // it may be looking just then
            await().until(() -> recorder.getState() == Thread.State.TIMED_WAITING);
            found = unreachable(5);
        }
        assertThat(recorder.isAlive()).isTrue();
        assertThat(found).containsAll(lost);
        recorder.interrupt();
        recorder.join();
    }

    @Test
    void aWaiterOnAChannelThatNothingElseRefersTo() throws IOException {
        for (int i = 0; i < 5; i++) {
            lose();
        }
        scheduler.go(() -> {
            note(reachable);
            end.receive();
        });

        assertThat(unreachable(6)).containsAll(lost).doesNotContainAnyElementsOf(reachable);
    }

    /// Two that wait for each other only are lost together.
    @Test
    void aWaiterThatOnlyUnreachableGoroutinesReach() throws IOException {
        loseTwo();

        assertThat(unreachable(2)).containsAll(lost);
    }

    private void loseTwo() {
        Chan<Integer> there = Chan.make();
        Chan<Integer> back = Chan.make();
        scheduler.go(() -> {
            note(lost);
            there.receive();
            back.send(1);
        });
        scheduler.go(() -> {
            note(lost);
            back.receive();
            there.send(1);
        });
    }

    /// The second has a channel of its own on its stack, and is itself reached by way of another one.
    @Test
    void aWaiterReachedThroughAReachableGoroutine() throws IOException {
        scheduler.go(() -> {
            note(reachable);
            Chan<Integer> own = Chan.make();
            scheduler.go(() -> {
                note(reachable);
                own.receive();
            });
            end.receive();
            own.close();
        });

        assertThat(unreachable(2)).doesNotContainAnyElementsOf(reachable);
    }

    /// A timer reaches its sleeper, a list its threads.
    @Test
    void sleepersAndThreadsThatAreReferredTo() throws IOException {
        scheduler.go(() -> {
            note(reachable);
            Thread.sleep(600_000);
        });
        List<Thread> known = new ArrayList<>();
        known.add(scheduler.threadFactory().newThread(() -> {
            note(reachable);
            LockSupport.park();
        }));
        known.getFirst().start();
        scheduler
                .threadFactory()
                .newThread(() -> {
                    note(lost);
                    LockSupport.park();
                })
                .start();

        assertThat(unreachable(3)).containsAll(lost).doesNotContainAnyElementsOf(reachable);
        Reference.reachabilityFence(known);
    }

    @Test
    void notAHeapDump() throws IOException {
        Path file = Files.writeString(folder.resolve("text"), "all kinds of words that are no heap dump at all");
        assertThatThrownBy(() -> Unreachable.threadsIn(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " is not a heap dump.");

        Path cut = folder.resolve("cut");
        byte[] whole = whole();
        Files.write(cut, Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> Unreachable.threadsIn(cut))
                .isInstanceOf(IOException.class)
                .hasMessage(cut + " is not a complete heap dump.");
    }

    private byte[] whole() throws IOException {
        Path file = folder.resolve("whole.hprof");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), /* live= */ true);
        return Files.readAllBytes(file);
    }
}
