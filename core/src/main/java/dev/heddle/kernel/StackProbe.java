package dev.heddle.kernel;

/// Makes sure that some stack is left, before a slow path changes anything that a StackOverflowError would
/// leave half-changed (N6). About 100 ns: not for fast paths.
final class StackProbe {

    /// Deeper than any slow path of the kernel, whose frames may be larger than these, being interpreted.
    private static final int FRAMES = 64;

    /// The JVM needs a deep stack to link a VarHandle's first use; if it ended there under the scheduler lock, the
    /// lock
    /// would stay locked.
    private static final int FRAMES_WHILE_COLD = 1000;

    private static int frames = FRAMES_WHILE_COLD; // plain: an old value is a more careful one

    private StackProbe() {}

    static void check() {
        int deep = frames;
        if (descend(deep) != deep) {
            throw new SchedulerBug("the stack probe miscounted");
        }
    }

    /// The kernel's code has all been linked.
    static void warm() {
        frames = FRAMES;
    }

    private static int descend(int frames) {
        return frames == 0 ? 0 : 1 + descend(frames - 1);
    }
}
