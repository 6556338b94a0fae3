package dev.heddle.bench.threads;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;

/// What the workloads share, also with other libraries that run on virtual threads.
public final class Threads {

    /// A body that may be interrupted, and is not.
    @FunctionalInterface
    public interface Body {
        void run() throws InterruptedException;
    }

    private Threads() {}

    /// Starts a virtual thread.
    public static Thread start(Body body) {
        return Thread.startVirtualThread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /// What stands for a channel: a hand-off if it has no capacity, else a bounded queue.
    static <T> BlockingQueue<T> queue(int capacity) {
        return capacity == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(capacity);
    }
}
