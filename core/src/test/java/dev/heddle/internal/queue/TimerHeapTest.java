package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TimerHeapTest {
    private static final Runnable NOTHING = () -> {};

    private final TimerHeap heap = new TimerHeap();
    private final TimerEntry[] out = new TimerEntry[64];

    private static TimerEntry timer(long when) {
        return new TimerEntry(when, NOTHING);
    }

    private static List<Long> whens(TimerEntry[] out, int count) {
        return Arrays.stream(out, 0, count).map(TimerEntry::when).toList();
    }

    /// Takes all that is due at `now`, in the order handed out.
    private List<Long> takeAll(TimerHeap heap, long now) {
        var all = new ArrayList<Long>();
        for (int n = heap.takeDue(now, out); n != 0; n = heap.takeDue(now, out)) {
            all.addAll(whens(out, n));
        }
        return all;
    }

    @Test
    void anEmptyHeapHasNothingToDo() {
        assertThat(heap.nextWhen()).isEqualTo(Long.MAX_VALUE);
        assertThat(heap.hasWork(Long.MAX_VALUE - 1)).isFalse();
        assertThat(heap.takeDue(Long.MAX_VALUE - 1, out)).isZero();
        assertThat(heap.size()).isZero();
    }

    @Test
    void handsOutInOrderForEverySize() {
        var random = new SplittableRandom(42);
        for (int size = 0; size <= 257; size++) {
            var whens = random.longs(size, 0, 1000).toArray();
            for (long when : whens) {
                heap.push(timer(when));
            }
            assertThat(heap.size()).isEqualTo(size);
            Arrays.sort(whens);
            assertThat(heap.nextWhen()).isEqualTo(size == 0 ? Long.MAX_VALUE : whens[0]);
            assertThat(takeAll(heap, 1000))
                    .isEqualTo(LongStream.of(whens).boxed().toList());
            assertThat(heap.nextWhen()).isEqualTo(Long.MAX_VALUE);
            assertThat(heap.size()).isZero();
        }
    }

    @Test
    void handsOutOnlyWhatIsDueAndNoMoreThanFits() {
        for (int i = 1; i <= 100; i++) {
            heap.push(timer(i));
        }
        assertThat(heap.takeDue(0, out)).isZero();
        assertThat(heap.takeDue(10, out)).isEqualTo(10);
        assertThat(heap.nextWhen()).isEqualTo(11);
        assertThat(heap.takeDue(100, out)).isEqualTo(64);
        assertThat(heap.nextWhen()).isEqualTo(75);
        assertThat(heap.takeDue(100, out)).isEqualTo(26);
    }

    @Test
    void pushSaysWhetherTheEarliestChanged() {
        assertThat(heap.push(timer(10))).isEqualTo(TimerHeap.Push.EARLIEST);
        assertThat(heap.push(timer(10))).isEqualTo(TimerHeap.Push.QUEUED);
        assertThat(heap.push(timer(11))).isEqualTo(TimerHeap.Push.QUEUED);
        assertThat(heap.push(timer(9))).isEqualTo(TimerHeap.Push.EARLIEST);
        assertThat(heap.takeDue(9, out)).isEqualTo(1); // the rest is in the arrays now
        assertThat(heap.push(timer(12))).isEqualTo(TimerHeap.Push.QUEUED);
        assertThat(heap.push(timer(5))).isEqualTo(TimerHeap.Push.EARLIEST);
        assertThat(heap.nextWhen()).isEqualTo(5);
    }

    @Test
    void aDistantTimerIsPossible() {
        assertThat(TimerEntry.deadline(5, 10)).isEqualTo(15);
        assertThat(TimerEntry.deadline(5, 0)).isEqualTo(5);
        assertThat(TimerEntry.deadline(5, -7)).isEqualTo(5);
        assertThat(TimerEntry.deadline(5, Long.MAX_VALUE)).isEqualTo(TimerEntry.LATEST);
        heap.push(timer(Long.MAX_VALUE));
        heap.push(timer(1));
        assertThat(takeAll(heap, 1)).containsExactly(1L);
        assertThat(heap.size()).isEqualTo(1);
    }

    /// [Long#MAX_VALUE] says that there is no entry: an entry that is as good as never due must not say so, too.
    @Test
    void theMostDistantTimerIsATimerLikeAnyOther() {
        assertThat(heap.push(timer(Long.MAX_VALUE))).isEqualTo(TimerHeap.Push.EARLIEST);
        assertThat(heap.nextWhen()).isLessThan(Long.MAX_VALUE);
        assertThat(heap.takeDue(0, out)).isZero();
        assertThat(heap.nextWhen()).isLessThan(Long.MAX_VALUE);
    }

    /// In the inbox, in the arrays, and after a move to another heap.
    @Test
    void theMostDistantTimerIsSeenWhereverItIs() {
        heap.push(timer(1)); // due, so that the inbox is drained
        heap.push(timer(Long.MAX_VALUE));
        assertThat(takeAll(heap, 1)).containsExactly(1L);
        assertThat(heap.nextWhen()).isEqualTo(TimerEntry.LATEST);
        var other = new TimerHeap();
        assertThat(heap.closeAndMoveTo(other)).isTrue();
        assertThat(heap.nextWhen()).isEqualTo(Long.MAX_VALUE);
        assertThat(other.nextWhen()).isEqualTo(TimerEntry.LATEST);
    }

    /// Wherever the cancelled ones are: only an entry that can still be fired is pending.
    @Test
    void cancelledEntriesAreNotPending() {
        assertThat(heap.hasPending()).isFalse();
        var inArrays = new ArrayList<TimerEntry>();
        for (int i = 0; i < 20; i++) {
            inArrays.add(push(100 + i));
        }
        push(1);
        assertThat(takeAll(heap, 1)).containsExactly(1L); // moves the others to the arrays
        var inInbox = new ArrayList<TimerEntry>();
        for (int i = 0; i < 20; i++) {
            inInbox.add(push(50 + i));
        }
        inArrays.removeFirst().cancel(); // one: too few to be swept
        assertThat(heap.hasPending()).isTrue();
        inArrays.forEach(TimerEntry::cancel);
        assertThat(heap.hasPending()).isTrue();
        var last = inInbox.removeLast();
        inInbox.forEach(TimerEntry::cancel);
        assertThat(heap.hasPending()).isTrue();
        assertThat(heap.nextWhen()).isEqualTo(last.when());
        last.cancel();
        assertThat(heap.hasPending()).isFalse();
        assertThat(heap.nextWhen()).isEqualTo(Long.MAX_VALUE);
        assertThat(heap.size()).isZero();
        push(7);
        assertThat(heap.hasPending()).isTrue();
        assertThat(takeAll(heap, 7)).containsExactly(7L);
    }

    private TimerEntry push(long when) {
        var entry = timer(when);
        heap.push(entry);
        return entry;
    }

    @Test
    void aMillionIsFine() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < 1_000_000; i++) {
            heap.push(timer(random.nextLong(1_000_000)));
            if (heap.hasWork(-1)) {
                assertThat(heap.takeDue(-1, out)).isZero(); // as the loop does between goroutines
            }
        }
        long last = -1;
        int count = 0;
        for (int n = heap.takeDue(1_000_000, out); n != 0; n = heap.takeDue(1_000_000, out)) {
            for (int i = 0; i < n; i++) {
                assertThat(out[i].when()).isGreaterThanOrEqualTo(last);
                last = out[i].when();
            }
            count += n;
        }
        assertThat(count).isEqualTo(1_000_000);
    }

    @Test
    void aFloodOfPushesIsSortedInPiecewise() {
        int flood = 10 * TimerHeap.MAX_DRAIN + 1;
        for (int i = 0; i < flood; i++) {
            heap.push(timer(1_000_000 + i));
        }
        assertThat(heap.takeDue(0, out)).isZero();
        assertThat(heap.size()).isEqualTo(flood);
        assertThat(heap.nextWhen()).isEqualTo(1_000_000);
        heap.push(timer(500_000));
        assertThat(heap.nextWhen()).isEqualTo(500_000);
        var all = takeAll(heap, Long.MAX_VALUE - 1);
        assertThat(all).hasSize(flood + 1).doesNotHaveDuplicates();
    }

    @Nested
    class FireAndCancel {
        private final AtomicInteger runs = new AtomicInteger();
        private final TimerEntry timer = new TimerEntry(1, runs::incrementAndGet);

        @Test
        void firesOnce() {
            heap.push(timer);
            assertThat(timer.fire()).as("not handed out yet").isFalse();
            assertThat(heap.takeDue(1, out)).isEqualTo(1);
            assertThat(timer.isPending()).isTrue();
            assertThat(timer.fire()).isTrue();
            assertThat(timer.fire()).isFalse();
            assertThat(timer.cancel()).isFalse();
            assertThat(timer.isFired()).isTrue();
            assertThat(timer.isCancelled()).isFalse();
            assertThat(runs).hasValue(1);
        }

        @Test
        void cancelledInTheInboxItIsDroppedWithoutTouchingTheHeap() {
            heap.push(timer);
            assertThat(timer.cancel()).isTrue();
            assertThat(timer.cancel()).isFalse();
            assertThat(heap.takeDue(1, out)).isZero();
            assertThat(heap.size()).isZero();
            assertThat(heap.nextWhen()).isEqualTo(Long.MAX_VALUE);
            assertThat(timer.fire()).isFalse();
            assertThat(runs).hasValue(0);
        }

        @Test
        void cancelledAtTheHeadOfTheHeapItNoLongerCounts() {
            var earlier = timer(0);
            heap.push(timer);
            heap.push(timer(100));
            heap.push(earlier);
            assertThat(heap.takeDue(0, out)).isEqualTo(1);
            assertThat(timer.cancel()).isTrue();
            assertThat(heap.takeDue(50, out)).isZero();
            assertThat(heap.nextWhen()).isEqualTo(100);
            assertThat(heap.size()).isEqualTo(1);
        }

        @Test
        void cancelledBetweenHandOutAndFireItDoesNotRun() {
            heap.push(timer);
            heap.takeDue(1, out);
            assertThat(timer.cancel()).isTrue();
            assertThat(timer.fire()).isFalse();
            assertThat(runs).hasValue(0);
            assertThat(heap.hasWork(1)).isFalse(); // it was not counted as a zombie
        }

        @Test
        void whatTheCommandThrowsIsThrownOn() {
            var failing = new TimerEntry(1, () -> {
                throw new IllegalStateException("from the command");
            });
            heap.push(failing);
            heap.takeDue(1, out);
            assertThatThrownBy(failing::fire).hasMessage("from the command");
            assertThat(failing.isFired()).isTrue();
        }
    }

    @Nested
    class Zombies {
        @Test
        void areSweptWhenMoreThanAQuarter() {
            var timers = new ArrayList<TimerEntry>();
            for (int i = 0; i < 100; i++) {
                timers.add(timer(1000 + i));
                heap.push(timers.get(i));
            }
            heap.push(timer(1));
            assertThat(heap.takeDue(1, out)).isEqualTo(1);
            assertThat(heap.size()).isEqualTo(100);
            for (int i = 50; i < 75; i++) {
                timers.get(i).cancel();
            }
            assertThat(heap.hasWork(1)).isFalse();
            timers.get(75).cancel();
            assertThat(heap.hasWork(1)).isTrue();
            assertThat(heap.takeDue(1, out)).isZero();
            assertThat(heap.size()).isEqualTo(74);
            assertThat(heap.hasWork(1)).isFalse();
            assertThat(takeAll(heap, 2000)).hasSize(74).isSorted();
        }

        /// A timeout per operation, nearly always cancelled: neither inbox nor heap may grow with the number of
        /// operations.
        @Test
        void cancelledTimeoutsDoNotPileUp() {
            int largest = 0;
            for (int i = 0; i < 100_000; i++) {
                var timeout = timer(30_000_000_000L + i);
                heap.push(timeout);
                if (heap.hasWork(i)) {
                    assertThat(heap.takeDue(i, out)).isZero();
                }
                timeout.cancel();
                largest = Math.max(largest, heap.size());
            }
            assertThat(largest).isLessThanOrEqualTo(2 * TimerHeap.CROWDED);
        }
    }

    @Nested
    class Closing {
        private final TimerHeap other = new TimerHeap();

        @Test
        void movesInboxHeapAndBacklog() {
            int flood = TimerHeap.MAX_DRAIN + 100;
            for (int i = 0; i < flood; i++) {
                heap.push(timer(1000 + i));
            }
            heap.takeDue(0, out); // fills the arrays, leaves a backlog
            heap.push(timer(500)); // stays in the inbox
            other.push(timer(700));
            assertThat(heap.closeAndMoveTo(other)).isTrue();
            assertThat(heap.size()).isZero();
            assertThat(heap.nextWhen()).isEqualTo(Long.MAX_VALUE);
            assertThat(other.nextWhen()).isEqualTo(500);
            assertThat(other.size()).isEqualTo(flood + 2);
            assertThat(takeAll(other, 1_000_000))
                    .hasSize(flood + 2)
                    .contains(500L, 700L)
                    .doesNotHaveDuplicates();
        }

        @Test
        void refusesPushesForGood() {
            assertThat(heap.closeAndMoveTo(other)).isFalse();
            assertThat(heap.push(timer(1))).isEqualTo(TimerHeap.Push.CLOSED);
            assertThat(heap.nextWhen()).isEqualTo(Long.MAX_VALUE);
            assertThat(heap.takeDue(1, out)).isZero();
            assertThat(heap.push(timer(1))).as("a check does not open it").isEqualTo(TimerHeap.Push.CLOSED);
        }

        @Test
        void cancelAfterTheMoveCountsInTheNewHeap() {
            var moved = timer(10);
            heap.push(timer(0));
            heap.push(moved);
            heap.takeDue(0, out);
            heap.closeAndMoveTo(other);
            other.push(timer(1));
            other.takeDue(1, out);
            moved.cancel();
            assertThat(other.hasWork(2)).as("one zombie of one").isTrue();
            assertThat(other.takeDue(2, out)).isZero();
            assertThat(other.size()).isZero();
            assertThat(heap.hasWork(2)).isFalse();
        }

        @Test
        void keepsEverythingIfTheTargetIsClosed() {
            heap.push(timer(3));
            other.closeAndMoveTo(new TimerHeap());
            assertThatThrownBy(() -> heap.closeAndMoveTo(other)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> heap.closeAndMoveTo(heap)).isInstanceOf(IllegalArgumentException.class);
            assertThat(takeAll(heap, 3)).containsExactly(3L);
        }
    }

    @Nested
    class MemoryExhaustion {
        private boolean isExhausted;
        private final TimerHeap heap = new TimerHeap(2, new FourAryHeap.Allocator() {
            @Override
            public long[] whens(int capacity) {
                return new long[capacity];
            }

            @Override
            public TimerEntry[] entries(int capacity) {
                if (isExhausted) {
                    throw new OutOfMemoryError("says the test");
                }
                return new TimerEntry[capacity];
            }
        });

        @Test
        void dueEntriesAreHandedOutAndTheOthersWait() {
            isExhausted = true;
            for (int i = 1; i <= 20; i++) {
                heap.push(timer(i));
            }
            assertThat(heap.takeDue(10, out)).isEqualTo(10);
            assertThat(whens(out, 10))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, 10).boxed().toList());
            assertThat(heap.size()).isEqualTo(10);
            assertThat(heap.nextWhen()).isEqualTo(11);
            assertThat(heap.hasWork(10)).isFalse(); // no busy loop while memory is short
            heap.push(timer(12));
            assertThat(heap.nextWhen()).isEqualTo(11);
            assertThat(heap.takeDue(12, out)).isEqualTo(3);
            isExhausted = false;
            assertThat(takeAll(heap, 100))
                    .isEqualTo(LongStream.rangeClosed(13, 20).boxed().toList());
        }

        @Test
        void entriesCancelledWhileWaitingAreDropped() {
            isExhausted = true;
            var timers = new ArrayList<TimerEntry>();
            for (int i = 1; i <= 10; i++) {
                timers.add(timer(i));
                heap.push(timers.get(i - 1));
            }
            assertThat(heap.takeDue(1, out)).isEqualTo(1);
            timers.forEach(TimerEntry::cancel);
            assertThat(heap.takeDue(100, out)).isZero();
            assertThat(heap.size()).isZero();
            assertThat(heap.nextWhen()).isEqualTo(Long.MAX_VALUE);
        }
    }
}
