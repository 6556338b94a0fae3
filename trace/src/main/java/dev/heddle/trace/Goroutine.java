package dev.heddle.trace;

import dev.heddle.internal.trace.ParkReason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A goroutine or virtual thread during a replay: what it does at the present moment, and since when.
public final class Goroutine {

    /// The start of the ids of goroutines that have a number. Virtual threads have the ids of their threads, which
    /// stay below.
    static final long FIRST_NUMBERED = 1_000_000_000_000L;

    /// The start of the ids of goroutines whose number is unknown, because they started while nothing was recorded.
    static final long FIRST_UNNUMBERED = 2_000_000_000_000L;

    private final long id;

    @Nullable
    SchedulerState scheduler;

    String name = "";
    String body = "";
    long thread;
    long createdAt = -1;

    @Nullable
    Goroutine creator;

    // what it does
    State state = State.RUNNABLE;
    long since;

    @Nullable
    Machine machine;

    // why it waits, or waited last
    ParkReason reason = ParkReason.OTHER;
    String blocker = "";
    long stack;

    // why it is runnable, or was last
    Cause cause = Cause.UNKNOWN;

    @Nullable
    Goroutine waker;

    @Nullable
    Machine wakerMachine;

    long wakerThread;
    long wokenAt = -1;
    Position position = Position.UNKNOWN;

    // its place in a queue
    @Nullable
    RunQueue queue;

    @Nullable
    Goroutine before;

    @Nullable
    Goroutine after;

    /// Why a goroutine became runnable.
    public enum Cause {
        /// Before the window.
        UNKNOWN,
        CREATED,
        WOKEN,
        YIELDED,
        PREEMPTED
    }

    /// Where a goroutine was queued when it became runnable.
    ///
    /// @param queue     the queue; null: unknown
    /// @param processor the processor whose queue it is; null: of none
    /// @param ahead     how many goroutines were before it
    public record Position(
            RunQueue.@Nullable Kind queue, @Nullable Processor processor, int ahead) {
        static final Position UNKNOWN = new Position(null, null, 0);
    }

    Goroutine(long id) {
        this.id = id;
    }

    /// Unique in the recording. A virtual thread has the id of its thread.
    public long id() {
        return id;
    }

    /// The scheduler that runs it.
    public SchedulerState scheduler() {
        return Objects.requireNonNull(scheduler);
    }

    /// For people: `goroutine 17`, or `thread 42`, as in `heddle dump`.
    public String label() {
        if (id < FIRST_NUMBERED) {
            return "thread " + id;
        }
        return id < FIRST_UNNUMBERED
                ? "goroutine " + (id - FIRST_NUMBERED)
                : "an earlier goroutine in thread " + thread;
    }

    /// The label with the body's class, if that is known.
    public String description() {
        return body.isEmpty() ? label() : label() + " (" + body + ")";
    }

    /// The name of its thread; may be empty.
    public String name() {
        return name;
    }

    /// The class of its body; empty if it is unknown.
    public String body() {
        return body;
    }

    /// What groups it with others that do the same: its body, else its name without digits at the end.
    public String kind() {
        if (!body.isEmpty()) {
            return body;
        }
        String stem = name.replaceFirst("[-_ #]*\\d+$", "");
        return stem.isEmpty() ? "(unknown)" : stem;
    }

    /// The thread that runs it, or has run it last; 0 before it has started.
    public long thread() {
        return thread;
    }

    /// When it was created; -1: before the window.
    public long createdAt() {
        return createdAt;
    }

    /// The goroutine that started it; null if that is unknown, or no goroutine did.
    public @Nullable Goroutine creator() {
        return creator;
    }

    public State state() {
        return state;
    }

    /// Since when it is in its state.
    public long since() {
        return since;
    }

    /// The machine on which it runs; null if it does not run.
    public @Nullable Machine machine() {
        return machine;
    }

    /// Why it waits, or waited last.
    public ParkReason reason() {
        return reason;
    }

    /// The class of the object that it waits for, or waited for last; may be empty.
    public String blocker() {
        return blocker;
    }

    /// The number of the stack of the last wait; 0: none was taken.
    public long stack() {
        return stack;
    }

    /// Why it is runnable, or was last.
    public Cause cause() {
        return cause;
    }

    /// The goroutine that woke or created it last; null if none did.
    public @Nullable Goroutine waker() {
        return waker;
    }

    /// The machine on which that happened; null if it was no machine of its scheduler.
    public @Nullable Machine wakerMachine() {
        return wakerMachine;
    }

    /// The Java id of the thread that made it runnable, if that was no machine.
    public long wakerThread() {
        return wakerThread;
    }

    /// The queue in which it is; null: in none that the recording shows.
    public @Nullable RunQueue queue() {
        return queue;
    }

    /// Where it was queued when it became runnable.
    public Position position() {
        return position;
    }

    @Override
    public String toString() {
        return label();
    }
}
