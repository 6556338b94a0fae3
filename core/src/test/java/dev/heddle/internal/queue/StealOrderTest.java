package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StealOrderTest {
    private static List<Integer> walk(StealOrder order, int random) {
        var positions = new ArrayList<Integer>();
        for (long cursor = order.start(random); !StealOrder.isDone(cursor); cursor = order.next(cursor)) {
            positions.add(StealOrder.position(cursor));
        }
        return positions;
    }

    /// Go's TestStealOrder: every order of every number of processors visits each exactly once.
    @Test
    void testStealOrder() {
        for (int count = 1; count <= 65; count++) {
            var order = new StealOrder(count);
            for (int random = 0; random < order.orders(); random++) {
                var seen = new BitSet();
                walk(order, random).forEach(seen::set);
                assertThat(walk(order, random)).hasSize(count);
                assertThat(seen.cardinality()).isEqualTo(count);
                assertThat(seen.length()).isEqualTo(count);
            }
        }
    }

    @Test
    void startAndStepAreThoseOfGo() {
        var order = new StealOrder(6); // coprimes 1, 5
        assertThat(walk(order, 2)).containsExactly(2, 3, 4, 5, 0, 1);
        assertThat(walk(order, 6 + 2)).containsExactly(2, 1, 0, 5, 4, 3);
        assertThat(walk(order, 12 + 2)).isEqualTo(walk(order, 2));
    }

    @Test
    void allOrdersAreDifferentAndReachable() {
        for (int count : new int[] {3, 5, 8, 12}) {
            var order = new StealOrder(count);
            var distinct = new HashSet<List<Integer>>();
            for (int random = 0; random < order.orders(); random++) {
                distinct.add(walk(order, random));
            }
            assertThat(distinct).hasSize(order.orders());
        }
    }

    @Test
    void usesAllBitsAsUnsigned() {
        var random = new SplittableRandom(1);
        var order = new StealOrder(7);
        for (int i = 0; i < 1000; i++) {
            assertThat(walk(order, random.nextInt())).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6);
        }
        assertThat(walk(order, -1).getFirst()).isEqualTo((int) (0xFFFF_FFFFL % 7));
    }

    @Test
    void countIsLimitedByTheCursor() {
        assertThatThrownBy(() -> new StealOrder(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StealOrder(StealOrder.MAX_COUNT + 1)).isInstanceOf(IllegalArgumentException.class);
        var order = new StealOrder(10_000);
        assertThat(walk(order, 123_456_789)).hasSize(10_000).doesNotHaveDuplicates();
    }
}
