package dev.heddle.testkit.internal;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/// Calls something on a platform thread: a virtual thread cannot carry others.
final class OnPlatformThread {

    private OnPlatformThread() {}

    static <T> T call(Supplier<T> action) {
        FutureTask<T> task = new FutureTask<>(action::get);
        Thread.ofPlatform().name("heddle-testkit").start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the check ran on another thread", e);
        }
    }
}
