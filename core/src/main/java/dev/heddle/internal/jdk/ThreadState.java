package dev.heddle.internal.jdk;

/// The states of `java.lang.VirtualThread` in JDK 25 that the kernel has to distinguish.
public final class ThreadState {
    public static final int STARTED = 1;
    public static final int RUNNING = 2;
    public static final int PARKING = 3;
    public static final int PARKED = 4;
    public static final int PINNED = 5;
    public static final int TIMED_PARKING = 6;
    public static final int TIMED_PARKED = 7;
    public static final int TIMED_PINNED = 8;
    public static final int UNPARKED = 9;
    public static final int YIELDING = 10;
    public static final int YIELDED = 11;
    public static final int BLOCKING = 12;
    public static final int BLOCKED = 13;
    public static final int UNBLOCKED = 14;
    public static final int WAITING = 15;
    public static final int WAIT = 16;
    public static final int TIMED_WAITING = 17;
    public static final int TIMED_WAIT = 18;
    public static final int TERMINATED = 99;

    /// A flag in addition to the state: the thread must not be mounted, because another thread reads its stack.
    public static final int SUSPENDED = 1 << 8;

    private ThreadState() {}
}
