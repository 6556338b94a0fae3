package dev.heddle;

import static org.awaitility.Awaitility.await;

import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.event.WaitRecord;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A thread of a test, and what became of it.
final class Started<R> {
    final Thread thread;
    private final FutureTask<R> result;

    private Started(ThreadFactory factory, Callable<R> body) {
        result = new FutureTask<>(body);
        thread = factory.newThread(result);
        thread.start();
    }

    static <R> Started<R> virtual(Callable<R> body) {
        return new Started<>(Thread.ofVirtual().factory(), body);
    }

    static <R> Started<R> platform(Callable<R> body) {
        return new Started<>(Thread.ofPlatform().daemon().factory(), body);
    }

    static <R> Started<R> of(ThreadFactory factory, Callable<R> body) {
        return new Started<>(factory, body);
    }

    /// Returns when the thread is parked for `reason`.
    Started<R> parkedIn(WaitReason reason) {
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            WaitRecord waiting = WaitRecord.of(thread);
            return waiting != null
                    && waiting.waitReason() == reason
                    && (thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        });
        return this;
    }

    boolean isDone() {
        return result.isDone();
    }

    /// The body's result, or what it threw.
    R get() throws Exception {
        try {
            return result.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } catch (TimeoutException e) {
            var stack = new AssertionError("still running: " + thread);
            stack.setStackTrace(thread.getStackTrace());
            throw stack;
        }
    }
}
