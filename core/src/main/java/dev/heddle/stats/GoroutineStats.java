package dev.heddle.stats;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A snapshot of one goroutine or virtual thread. Go: one paragraph of a goroutine dump.
///
/// @param id         its thread's [Thread#threadId]; goroutines that never park may share one
/// @param name       its thread's name, mostly empty
/// @param state      what it was doing
/// @param waitReason why it waits, in Go's words; null if it does not wait
/// @param waitNanos  how long it has waited. Known for waits with a timeout, sleeps included, and for those in
///                   Heddle's own channels and groups, as far as the system monitor was awake to measure them; else -1
/// @param seenNanos  how long observers have seen it waiting, or seen it runnable, without it running in between: a
///                   lower bound. 0 at the first time, and for a thread that has not begun; -1 if it may have run
/// @param locked     whether it is locked to its carrier
/// @param machine    the machine it is mounted on; -1 if it is not mounted
/// @param blocker    what it waits for, as `class@hash`; null if that is not known
/// @param owner      the thread that owns the lock it waits for; 0 if none or not known
/// @param monitors   the monitors it holds, as `class@hash`
/// @param stack      its frames, as stack traces show them, innermost first; may be truncated
/// @param body       the class of what was started, or of the lambda in it; null if that is not known
/// @param createdBy  the frame that started it; null unless creators are recorded (`HEDDLE_DEBUG=createdby=1`)
/// @param creator    the thread in which that frame was; 0 if it is not known
public record GoroutineStats(
        long id,
        String name,
        GoroutineState state,
        @Nullable String waitReason,
        long waitNanos,
        long seenNanos,
        boolean locked,
        int machine,
        @Nullable String blocker,
        long owner,
        List<String> monitors,
        List<String> stack,
        @Nullable String body,
        @Nullable String createdBy,
        long creator) {

    public GoroutineStats {
        monitors = List.copyOf(monitors);
        stack = List.copyOf(stack);
    }

    /// A copy with another waiting time.
    public GoroutineStats withWaitNanos(long nanos) {
        return new GoroutineStats(
                id,
                name,
                state,
                waitReason,
                nanos,
                seenNanos,
                locked,
                machine,
                blocker,
                owner,
                monitors,
                stack,
                body,
                createdBy,
                creator);
    }

    /// A copy with other stack frames.
    public GoroutineStats withStack(List<String> frames) {
        return new GoroutineStats(
                id,
                name,
                state,
                waitReason,
                waitNanos,
                seenNanos,
                locked,
                machine,
                blocker,
                owner,
                monitors,
                frames,
                body,
                createdBy,
                creator);
    }
}
