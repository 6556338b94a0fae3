package dev.heddle.internal.queue;

/// The seed of a property test: `-Dheddle.seed=N` repeats a run; a failing test prints its seed.
final class Seeds {
    private Seeds() {}

    static long seed() {
        return Long.getLong("heddle.seed", System.nanoTime());
    }

    static String hint(long seed) {
        return "repeat with -Dheddle.seed=" + seed;
    }
}
