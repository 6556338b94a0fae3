package dev.heddle.kernel;

/// Makes sure that some stack is left, before a slow path changes anything that a StackOverflowError would
/// leave half-changed (N6). About 50 ns: not for fast paths.
final class StackProbe {

    private static final int FRAMES = 32; // deeper than any slow path of the kernel; unmeasured

    private StackProbe() {}

    static void check() {
        if (descend(FRAMES) != FRAMES) {
            throw new SchedulerBug("the stack probe miscounted");
        }
    }

    private static int descend(int frames) {
        return frames == 0 ? 0 : 1 + descend(frames - 1);
    }
}
