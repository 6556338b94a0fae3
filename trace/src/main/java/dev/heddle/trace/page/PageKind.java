package dev.heddle.trace.page;

import java.util.Locale;

/// The kinds of event in a page, stored by their ordinals; `kinds.js` has the same list, and a page whose list differs
/// says so. The page replays queues, so these events say what moved and where, not what the scheduler was thinking.
///
/// Each event has a time, a processor `p`, a machine `m`, a goroutine `g` (0: none) and two numbers `a` and `b`. Below,
/// `p`, `m` and `g` are left out where they are what one expects: where it happened.
enum PageKind {
    /// a: the creator; b: where it is put, by the ordinals of `Place`.
    CREATE,
    /// A parked goroutine becomes runnable. a: the waker; b: where it is put.
    READY,
    /// a: where it was found, by the ordinals of `Source`.
    START,
    /// a: the reason; b: 1 + the stack, 0: unknown.
    PARK,
    /// a: 1 if it was asked to; b: where it is put, or 3: among the threads that yielded here.
    YIELD,
    END,
    /// A start that ran nothing, because the entry was queued twice.
    EMPTY,
    /// The CREATE or READY before it failed.
    REFUSED,
    /// a: the victim; b: how many; g: 1 if they came from the threads that yielded.
    STEAL,
    /// b: how many; g: 1 if they are the threads that yielded.
    SPILL,
    /// A take from the global queue. b: how many; g: 1 if all of them went to the queue.
    GLOBAL,
    /// All queues of the processor went to the global one.
    SHARE,
    /// The time slice is over: runnext goes to the threads that yielded.
    SLICE,
    /// A thread that is locked to machine a is brought there.
    DELIVER,
    PSTART,
    PSTOP,
    /// The processor is taken from the machine, which may run a goroutine. a: why, see `TAKEN_WHY` in caption.js.
    TAKEN,
    /// A goroutine that ran without a processor has one again.
    REGAIN,
    SPIN,
    UNSPIN,
    SLEEP,
    /// a: the machine that wakes, -1: none; p: for which processor, if that is known.
    WAKE,
    BEGIN,
    EXIT,
    /// b: how many were due.
    TIMER,
    /// b: how many sockets were ready.
    NETPOLL,
    /// b: the scheduler that stops the world.
    STOP,
    /// b: the scheduler.
    GO,
    /// A pause of the garbage collector. a: its name, as a string; b: its number.
    GC,
    /// b: the number of the pause.
    GCEND,
    /// a: what the monitor found, see `ASKED` and its siblings in caption.js; b: since how many microseconds.
    MONITOR,
    /// a: the new number of processors; b: the scheduler.
    PROCS,
    BLOCK,
    UNBLOCK,
    /// What was true before the first event.
    RUNNING,
    RUNNABLE,
    /// a: the reason.
    WAITING,
    /// a, b: strings that the program wrote.
    LOG,
    /// a: how many events of the machine could not be recorded; g: what it ran before.
    LOST;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
