package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Random pushes, cancels, checks, moves and allocation failures, against a plain list.
class TimerHeapPropertyTest {
    private static final int STEPS = 50_000;

    @Test
    void behavesLikeAList() {
        long seed = Seeds.seed();
        var random = new SplittableRandom(seed);
        boolean[] isExhausted = {false};
        var allocator = new FourAryHeap.Allocator() {
            @Override
            public long[] whens(int capacity) {
                return new long[capacity];
            }

            @Override
            public TimerEntry[] entries(int capacity) {
                if (isExhausted[0]) {
                    throw new OutOfMemoryError("says the test");
                }
                return new TimerEntry[capacity];
            }
        };
        var heap = new TimerHeap(1, allocator);
        var pending = new ArrayList<TimerEntry>(); // the model: pushed, not handed out, not cancelled
        var out = new TimerEntry[8];
        long now = 0;
        for (int step = 0; step < STEPS; step++) {
            String what = Seeds.hint(seed) + ", step " + step;
            int choice = random.nextInt(100);
            boolean isBurst = (step / 2000) % 2 == 0;
            if (choice < (isBurst ? 60 : 20)) {
                var timer = new TimerEntry(now + random.nextInt(2000), () -> {});
                assertThat(heap.push(timer)).as(what).isNotEqualTo(TimerHeap.Push.CLOSED);
                pending.add(timer);
            } else if (choice < 75 && !pending.isEmpty()) {
                var timer = pending.remove(random.nextInt(pending.size()));
                assertThat(timer.cancel()).as(what).isTrue();
            } else if (choice < 97) {
                now += random.nextInt(20);
                int taken = heap.takeDue(now, out);
                boolean hasMemory = !isExhausted[0];
                for (int i = 0; i < taken; i++) {
                    assertThat(out[i].when()).as(what).isLessThanOrEqualTo(now);
                    assertThat(pending.remove(out[i])).as(what).isTrue();
                    assertThat(out[i].fire()).as(what).isTrue();
                    if (i > 0 && hasMemory) {
                        assertThat(out[i].when()).as(what).isGreaterThanOrEqualTo(out[i - 1].when());
                    }
                }
                if (taken < out.length) {
                    assertThat(earliest(pending)).as(what).isGreaterThan(now);
                }
            } else if (choice < 99) {
                isExhausted[0] = random.nextInt(4) == 0;
            } else {
                isExhausted[0] = false;
                var other = new TimerHeap(1, allocator);
                heap.closeAndMoveTo(other);
                assertThat(heap.size()).as(what).isZero();
                heap = other;
            }
            assertThat(heap.nextWhen()).as(what).isLessThanOrEqualTo(earliest(pending));
            assertThat(heap.size()).as(what).isGreaterThanOrEqualTo(pending.size());
        }
    }

    private static long earliest(List<TimerEntry> timers) {
        return timers.stream().mapToLong(TimerEntry::when).min().orElse(Long.MAX_VALUE);
    }
}
