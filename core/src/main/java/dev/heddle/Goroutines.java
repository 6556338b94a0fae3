package dev.heddle;

import dev.heddle.internal.jdk.Access;
import dev.heddle.internal.kernel.TimerHandle;
import dev.heddle.internal.kernel.Timers;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// How the API starts goroutines and timers of its own.
///
/// They belong to the scheduler of the thread that asked for them, or to the default one if it is not Heddle's thread.
/// They may outlive their scheduler: what is due after it was closed goes on in the default scheduler, which is never
/// closed. In a JVM that hides its internals they belong to the JDK's scheduler.
final class Goroutines {
    private static final boolean HAS_ACCESS = Access.problem() == null;

    private Goroutines() {}

    /// The scheduler to which belongs what the current thread asks for; null if that is the JDK's.
    static @Nullable Scheduler home() {
        return HAS_ACCESS ? Scheduler.current() : null;
    }

    /// Starts `body` on `home`; on the default scheduler if `home` is closed.
    ///
    /// Does not block, and so may be called from a timer's callback.  Any thread.
    static void start(@Nullable Scheduler home, Runnable body) {
        if (home == null) {
            Thread.startVirtualThread(body);
        } else {
            startBody(home, body::run);
        }
    }

    /// Like [#start(Scheduler, Runnable)], for what a user wants to be done.
    static void startBody(Scheduler home, Go.Body body) {
        try {
            home.go(body);
        } catch (RejectedExecutionException _) {
            Scheduler.goByDefault(body);
        }
    }

    /// Runs `callback` on a carrier, as [Timers#schedule] says.  Any thread.
    static TimerHandle schedule(Runnable callback, long delayNanos) {
        return HAS_ACCESS
                ? Timers.schedule(callback, delayNanos, new Scheduler.DefaultKernel())
                : Timers.scheduleInJdk(callback, delayNanos);
    }
}
