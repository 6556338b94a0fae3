package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.queue.broken.Numbered;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Whatever left a queue can be collected: a slot that still pointed at a finished thread would keep its stack
/// (N4).
class CollectableEntriesTest {
    private static final int CAPACITY = 16;

    private final LocalRunQueue queue = new LocalRunQueue(CAPACITY);
    private final LocalRunQueue thief = new LocalRunQueue(CAPACITY);
    private final SpillCollector spills = new SpillCollector(CAPACITY);
    private final List<WeakReference<Runnable>> entries = new ArrayList<>();

    private void put(int count, boolean next) {
        for (int i = 0; i < count; i++) {
            var entry = new Numbered(i);
            entries.add(new WeakReference<>(entry));
            queue.put(entry, next, spills);
        }
    }

    private void assertAllCollectable() {
        assertThat(entries).isNotEmpty();
        await().until(() -> {
            System.gc();
            return entries.stream().allMatch(e -> e.get() == null);
        });
        Reference.reachabilityFence(this); // the queues themselves are alive
    }

    @Test
    void whatTheOwnerTookIsClearedAtOnce() {
        put(CAPACITY, false);
        put(1, true);
        while (queue.get() != null) {}
        assertAllCollectable();
    }

    @Test
    void whatThievesTookIsClearedBeforeTheOwnerGoesIdle() {
        put(CAPACITY, false);
        while (thief.stealFrom(queue, StealRule.GO, true) != null) {
            while (thief.get() != null) {}
        }
        assertThat(queue.isEmpty()).isTrue();
        assertThat(entries.stream().filter(e -> e.get() != null))
                .as("only the owner writes slots: until it acts they stay")
                .isNotEmpty();
        queue.clearDead();
        assertAllCollectable();
    }

    @Test
    void whatThievesTookIsClearedByTheNextPut() {
        put(CAPACITY, false);
        var stolen = thief.stealFrom(queue, StealRule.GO, false);
        assertThat(stolen).isNotNull();
        stolen = null;
        while (thief.get() != null) {}
        int gone = CAPACITY / 2;
        queue.put(new Numbered(100), false, spills);
        await().until(() -> {
            System.gc();
            return entries.subList(0, gone).stream().allMatch(e -> e.get() == null);
        });
        assertThat(entries.subList(gone, CAPACITY)).allMatch(e -> e.get() != null);
        Reference.reachabilityFence(this);
    }

    @Test
    void whatWasSpilledOrDrainedIsCollectable() {
        put(CAPACITY + 1, false);
        assertThat(spills.all()).hasSize(CAPACITY / 2 + 1);
        spills.spills.clear();
        var all = new RunBatch(CAPACITY);
        int _ = queue.drainInto(all);
        SpillCollector.drain(all);
        assertAllCollectable();
        Reference.reachabilityFence(all);
    }

    /// A grab whose CAS fails leaves copies beyond the thief's tail; they must not outlive the call.
    @Test
    void copiesOfAFailedGrabAreCleared() {
        put(CAPACITY, false);
        boolean[] interfered = {false};
        StealRule interfering = (available, capacity) -> {
            if (interfered[0]) {
                return 1;
            }
            interfered[0] = true;
            queue.takeHead(); // the owner wins: the grab below copies 8 in vain, and the next attempt takes only one
            return 8;
        };
        assertThat(thief.stealFrom(queue, interfering, false)).isNotNull();
        while (queue.get() != null) {}
        assertThat(thief.isEmpty()).isTrue();
        assertAllCollectable();
        Reference.reachabilityFence(thief);
    }

    @Test
    void aCancelledTimerDropsItsCommandAtOnce() {
        var heap = new TimerHeap();
        Runnable command = new Numbered(1);
        entries.add(new WeakReference<>(command));
        var timer = new TimerEntry(1_000_000, command);
        heap.push(timer);
        command = null;
        timer.cancel();
        assertAllCollectable();
        Reference.reachabilityFence(heap);
    }
}
