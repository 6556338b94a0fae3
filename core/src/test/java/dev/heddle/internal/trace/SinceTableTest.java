package dev.heddle.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SinceTableTest {

    @Test
    void itDoesWhatAMapDoes() {
        long seed = System.nanoTime();
        System.out.println("SinceTableTest: seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        SinceTable table = new SinceTable();
        Map<Long, Long> model = new HashMap<>();
        for (int round = 0; round < 40; round++) {
            int keys = 1 << random.nextInt(1, 15);
            long base = random.nextLong() & ~1L << 40;
            for (int i = 0; i < 5_000; i++) {
                long key = base + random.nextInt(keys) + 1;
                if (random.nextInt(3) > 0) {
                    assertThat(table.put(key, i)).isTrue();
                    model.put(key, (long) i);
                } else {
                    Long removed = model.remove(key);
                    assertThat(table.remove(key)).isEqualTo(removed == null ? -1 : removed);
                }
            }
            assertThat(table.size()).isEqualTo(model.size());
            long limit = random.nextInt(5_000);
            Map<Long, Long> old = new HashMap<>();
            table.removeBefore(
                    limit, (key, time) -> assertThat(old.put(key, time)).isNull());
            assertThat(old).allSatisfy((key, time) -> {
                assertThat(time).isLessThan(limit);
                assertThat(model.remove(key)).isEqualTo(time);
            });
            assertThat(model.values()).allMatch(it -> it >= limit);
            table.trim();
        }
        model.forEach((key, time) -> assertThat(table.remove(key)).isEqualTo(time));
        assertThat(table.size()).isZero();
    }

    @Test
    void itIsBounded() {
        SinceTable table = new SinceTable();
        for (int i = 1; i <= SinceTable.MOST; i++) {
            assertThat(table.put(i, i)).isTrue();
        }
        assertThat(table.put(SinceTable.MOST + 1, 1)).isFalse();
        assertThat(table.put(1, 7)).as("one that is there").isTrue();
        assertThat(table.remove(1)).isEqualTo(7);
        assertThat(table.put(SinceTable.MOST + 1, 1)).isTrue();
        table.clear();
        assertThat(table.size()).isZero();
        assertThat(table.remove(2)).isEqualTo(-1);
    }
}
