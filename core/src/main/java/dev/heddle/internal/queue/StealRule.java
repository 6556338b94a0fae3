package dev.heddle.internal.queue;

/// How many of a victim's queued entries a thief takes at once.
///
/// The queue limits the answer to half of the capacity and to the room that the thief has, so a rule cannot break the
/// queue. Implementations must be pure and must not allocate: they run inside the steal loop.
@FunctionalInterface
public interface StealRule {
    /// Entries to take from a victim that holds `available` (at least 1) of at most `capacity`; 0 takes none.
    int batch(int available, int capacity);

    // Classes, not lambdas: lambdas would add tens of milliseconds to the agent's start.

    /// Go's rule, the default: half, rounded up, without a minimum. A single queued entry can be stolen (F30).
    StealRule GO = new StealRule() {
        @Override
        public int batch(int available, int capacity) {
            return available - available / 2;
        }
    };

    /// The variant found in popular descriptions (D4), kept for measurements: half, but only from a victim that
    /// holds more than a quarter of its capacity. Entries of a shorter queue wait for their owner.
    StealRule QUARTER_THRESHOLD = new StealRule() {
        @Override
        public int batch(int available, int capacity) {
            return available > capacity / 4 ? available - available / 2 : 0;
        }
    };

    /// One entry at a time.
    StealRule ONE = new StealRule() {
        @Override
        public int batch(int available, int capacity) {
            return 1;
        }
    };
}
