package dev.heddle.trace;

import dev.heddle.internal.trace.TraceEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Follows a [Replay]. All methods are called in the order of time, by one thread. The states of goroutines, machines
/// and processors are those after the change, except where the method says otherwise.
public interface ReplayListener {

    /// How the run of a goroutine ended.
    enum Stop {
        PARK,
        YIELD,
        /// A yield that was asked for.
        PREEMPT,
        END,
        /// It ran nothing: its entry had been queued twice.
        VOID
    }

    /// How a machine lost its processor.
    enum Loss {
        /// It gave the processor up.
        STOP,
        /// Another thread took it.
        TAKEN,
        /// It found that the processor had been taken; which thread did it is not known yet.
        FOUND_TAKEN
    }

    /// The window begins. The replay has what was there before: see [Replay#goroutines].
    default void begins(Replay replay) throws IOException {}

    /// An event of the window, before anything follows from it.
    default void event(TraceEvent event) throws IOException {}

    /// The state of a goroutine is about to change, or the window to end: it has been in that state since
    /// [Goroutine#since].
    default void interval(Goroutine goroutine, long until) throws IOException {}

    /// A goroutine was created and is runnable.
    ///
    /// @param by the machine that created it; null: another thread
    default void created(Goroutine goroutine, @Nullable Machine by, TraceEvent event) throws IOException {}

    /// A waiting goroutine became runnable.
    ///
    /// @param by the machine that woke it; null: another thread
    default void woken(Goroutine goroutine, @Nullable Machine by, TraceEvent event) throws IOException {}

    /// A goroutine runs on a machine.
    default void started(Goroutine goroutine, Machine machine) throws IOException {}

    /// A goroutine no longer runs on a machine.
    default void stopped(Goroutine goroutine, Machine machine, Stop how) throws IOException {}

    /// A machine has a processor, also while a goroutine runs on it.
    default void gained(Machine machine, Processor processor) throws IOException {}

    /// A machine no longer has its processor. Its goroutine, if it has one, goes on without.
    default void lost(Machine machine, Processor processor, Loss how, TraceEvent event) throws IOException {}

    /// The wake-up or the start of a goroutine failed for lack of memory: it waits again, or never was.
    default void refused(Goroutine goroutine) throws IOException {}

    /// The window ends.
    default void ends(Replay replay) throws IOException {}
}
