package dev.heddle.internal.queue;

import java.util.Arrays;

/// The pseudo-random orders in which a thief visits the processors: each order contains every processor exactly once.
///
/// Go: `randomOrder` (proc.go). An order is `start, start + step, start + 2 * step, ..` modulo the number of
/// processors, with a step that is coprime to it. Immutable, and an enumeration allocates nothing: its state is one
/// `long`, kept by the caller.
///
/// ```java
/// for (long cursor = order.start(random); !StealOrder.isDone(cursor); cursor = order.next(cursor)) {
///     visit(processors[StealOrder.position(cursor)]);
/// }
/// ```
///
/// Any thread.
public final class StealOrder {
    // cursor = | 0:1 | left:21 | step:21 | position:21 |     left counts the current position, 0 means done
    private static final int BITS = 21;
    private static final long MASK = (1L << BITS) - 1;

    /// Largest number of processors an order can be made for.
    public static final int MAX_COUNT = (int) MASK;

    private final int count;
    private final int[] coprimes;

    /// Orders over the positions `0 .. count - 1`.
    public StealOrder(int count) {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException("processors must be 1 to " + MAX_COUNT + ", not " + count);
        }
        this.count = count;
        this.coprimes = coprimesOf(count);
    }

    /// The enumeration that the random number `random` selects (all 32 bits are used, as unsigned).
    /// Go: `start`.
    public long start(int random) {
        int position = Integer.remainderUnsigned(random, count);
        int step = coprimes[Integer.remainderUnsigned(Integer.divideUnsigned(random, count), coprimes.length)];
        return cursor(count, step, position);
    }

    /// Whether every position has been visited.
    /// Go: `done`.
    public static boolean isDone(long cursor) {
        return left(cursor) == 0;
    }

    /// The position to visit now.
    /// Go: `position`.
    public static int position(long cursor) {
        return (int) (cursor & MASK);
    }

    /// The enumeration advanced by one position.
    /// Go: `next`.
    public long next(long cursor) {
        int step = step(cursor);
        int position = position(cursor) + step; // both below 2^21: no overflow
        return cursor(left(cursor) - 1, step, position < count ? position : position - count);
    }

    /// Number of positions.
    public int count() {
        return count;
    }

    /// Number of different orders: `count` starts for each coprime step.
    public int orders() {
        return count * coprimes.length;
    }

    private static long cursor(int left, int step, int position) {
        return ((long) left << 2 * BITS) | ((long) step << BITS) | position;
    }

    private static int left(long cursor) {
        return (int) (cursor >>> 2 * BITS);
    }

    private static int step(long cursor) {
        return (int) (cursor >>> BITS & MASK);
    }

    private static int[] coprimesOf(int count) {
        int[] found = new int[count];
        int size = 0;
        for (int i = 1; i <= count; i++) {
            if (gcd(i, count) == 1) {
                found[size++] = i;
            }
        }
        return Arrays.copyOf(found, size);
    }

    private static int gcd(int a, int b) {
        while (b != 0) {
            int rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }
}
