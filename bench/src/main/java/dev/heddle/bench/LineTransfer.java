package dev.heddle.bench;

import java.util.OptionalDouble;

/// The current distance of the cores: the time in which a cache line moves from one thread to another.
///
/// On a virtual machine this is not constant. The host may put two virtual processors on one core, on two cores that
/// share a cache, or far apart, and may change that many times a minute. Meanwhile programs that share memory are
/// faster or slower by a factor.
final class LineTransfer {

    private static final int TRANSFERS = 20_000;
    private static final long PATIENCE_NANOS = 50_000_000;
    private static final long GIVEN_UP = -1;

    /// The current turn: odd values are written by the other thread. Padded, so that its cache line holds nothing
    /// else.
    @SuppressWarnings("UnusedVariable") // padding is never read
    private static final class Line {
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
        volatile long turn;
        long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
    }

    private final Line line = new Line();

    private LineTransfer() {}

    /// Nanoseconds for one direction; empty if there is only one processor, or if the exchange did not finish in
    /// time.
    static OptionalDouble measure() throws InterruptedException {
        return Runtime.getRuntime().availableProcessors() < 2 ? OptionalDouble.empty() : new LineTransfer().run();
    }

    private OptionalDouble run() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        Thread other = Thread.ofPlatform().daemon().start(() -> answer(deadline));
        boolean all = await(1, deadline); // the other thread runs
        long begin = System.nanoTime();
        for (long turn = 2; all && turn <= TRANSFERS; turn += 2) {
            line.turn = turn;
            all = await(turn + 1, deadline);
        }
        long time = System.nanoTime() - begin;
        line.turn = GIVEN_UP;
        other.join();
        return all ? OptionalDouble.of((double) time / TRANSFERS) : OptionalDouble.empty();
    }

    private void answer(long deadline) {
        line.turn = 1;
        for (long turn = 2; await(turn, deadline); turn += 2) {
            line.turn = turn + 1;
        }
    }

    /// Spins without a pause, because a pause would add to the measured time.
    private boolean await(long turn, long deadline) {
        for (int spins = 1; line.turn != turn; spins++) {
            if (line.turn == GIVEN_UP || spins % 1_000 == 0 && System.nanoTime() > deadline) {
                return false;
            }
        }
        return true;
    }
}
