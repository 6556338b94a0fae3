package dev.heddle.testkit.internal;

/// Numbers that follow from a seed.
final class Seeds {

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private Seeds() {}

    /// The seed of a part of something that has a seed.
    static long of(long seed, long part) {
        return mix(seed + GOLDEN_GAMMA * (part + 1));
    }

    /// As in SplittableRandom.
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
