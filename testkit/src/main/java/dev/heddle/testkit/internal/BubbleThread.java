package dev.heddle.testkit.internal;

import org.jspecify.annotations.Nullable;

/// A virtual thread of a bubble. Threads have numbers, in the order of their start; the test itself is number 0.
final class BubbleThread {

    final int number;
    final Thread thread;
    final Runnable resumeTask;
    boolean hasEnded;

    /// Whether a fault keeps it from running for a while.
    boolean isHeldBack;

    /// The monitor that it has last waited for, in Object.wait.
    @Nullable
    Object waitsFor;

    /// When it began to wait for a monitor: greater than for any thread that began before it.
    int waitNumber;

    /// Reads of the clock since it last waited.
    int clockReads;

    BubbleThread(int number, Thread thread, Runnable resumeTask) {
        this.number = number;
        this.thread = thread;
        this.resumeTask = resumeTask;
    }

    String label() {
        String name = thread.getName();
        return name.isEmpty() ? "#" + number : "#" + number + " " + name;
    }
}
