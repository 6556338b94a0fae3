package dev.heddle.kernel;

/// Makes sure that some stack is left, before a slow path changes anything that a StackOverflowError would
/// leave half-changed (N6). About 50 ns: not for fast paths.
final class StackProbe {

    /// Deeper than any slow path of the kernel; unmeasured.
    private static final int FRAMES = 32;

    /// The same for virtual threads, which recurse in user code and come to the kernel from there, while the
    /// kernel's code is cold: the JVM needs a deep stack to link a VarHandle's first use. If the stack ended there
    /// under the scheduler lock, it would stay locked.
    ///
    /// Not on platform threads: the JDK's process reapers have a stack of 128 KB, most of it reserved, and an
    /// unpark that fails loses the thread.
    private static final int FRAMES_WHILE_COLD = 400;

    private static int frames = FRAMES_WHILE_COLD; // plain: an old value is a more careful one

    private StackProbe() {}

    static void check() {
        int deep = Thread.currentThread().isVirtual() ? frames : FRAMES;
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
