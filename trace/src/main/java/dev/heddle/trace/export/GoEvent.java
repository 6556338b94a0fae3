package dev.heddle.trace.export;

/// The event types and status numbers of Go's trace format that are written here.
/// Go: internal/trace/tracev2/events.go.
final class GoEvent {

    // structure
    static final int BATCH = 1;
    static final int STACKS = 2;
    static final int STACK = 3;
    static final int STRINGS = 4;
    static final int STRING = 5;
    static final int FREQUENCY = 8;
    static final int SYNC = 50;
    static final int CLOCK_SNAPSHOT = 51;
    static final int END_OF_GENERATION = 52;

    // processors
    static final int PROCS_CHANGE = 9;
    static final int PROC_START = 10;
    static final int PROC_STOP = 11;
    static final int PROC_STEAL = 12;
    static final int PROC_STATUS = 13;

    // goroutines
    static final int GO_CREATE = 14;
    static final int GO_START = 16;
    static final int GO_DESTROY = 17;
    static final int GO_STOP = 19;
    static final int GO_BLOCK = 20;
    static final int GO_UNBLOCK = 21;
    static final int GO_SYSCALL_BEGIN = 22;
    static final int GO_SYSCALL_END = 23;
    static final int GO_SYSCALL_END_BLOCKED = 24;
    static final int GO_STATUS = 25;

    // the rest
    static final int STW_BEGIN = 26;
    static final int STW_END = 27;
    static final int GC_BEGIN = 29;
    static final int GC_END = 30;
    static final int TASK_BEGIN = 40;
    static final int TASK_END = 41;
    static final int REGION_BEGIN = 42;
    static final int REGION_END = 43;
    static final int USER_LOG = 44;

    /// The status of a goroutine.
    static final int RUNNABLE = 1;

    static final int RUNNING = 2;
    static final int WAITING = 4;

    /// The status of a processor.
    static final int PROC_RUNNING = 1;

    static final int PROC_IDLE = 2;

    /// Stands for a machine where there is none.
    static final long NO_MACHINE = -1;

    private GoEvent() {}
}
