package dev.heddle.testkit.tests;

import dev.heddle.testkit.Bubble;

/// A test that computes for ever and passes no point, as a program of its own.
final class NeverUnmounts {

    private NeverUnmounts() {}

    public static void main(String[] arguments) {
        Bubble.check(_ -> compute());
    }

    private static void compute() {
        for (long number = 1; number != 0; number += 2) {
            Math.sqrt(number);
        }
    }
}
