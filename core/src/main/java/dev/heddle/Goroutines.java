package dev.heddle;

import dev.heddle.internal.jdk.Access;
import dev.heddle.internal.runtime.TimerHandle;
import dev.heddle.internal.runtime.Timers;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Starts the goroutines and timers that the API itself needs.
///
/// They belong to the calling thread's scheduler, or to the default scheduler if no Heddle scheduler runs that thread.
/// They may outlive their scheduler: after it was closed, they run on the default scheduler, which is never closed. In
/// a JVM that does not grant access to its internals, they belong to the JDK's scheduler.
final class Goroutines {
    private static final boolean HAS_ACCESS = Access.problem() == null;

    private Goroutines() {}

    /// The scheduler for goroutines and timers that the current thread starts; null if that is the JDK's.
    static @Nullable Scheduler home() {
        return HAS_ACCESS ? Scheduler.current() : null;
    }

    /// Starts `body` on `home`; on the default scheduler if `home` is closed, on the JDK's if `home` is null.
    ///
    /// Does not block, and so may be called from a timer's callback.  Any thread.
    static void start(@Nullable Scheduler home, Runnable body) {
        if (home == null) {
            Thread.startVirtualThread(body);
        } else {
            startBody(home, body::run);
        }
    }

    /// Like [#start(Scheduler, Runnable)], for a body given by the user.
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
