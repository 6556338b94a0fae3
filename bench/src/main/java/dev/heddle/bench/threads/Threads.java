package dev.heddle.bench.threads;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;

/// Shared by the workloads of this package and of other libraries that run on virtual threads.
public final class Threads {

    /// A body that declares InterruptedException but is never interrupted.
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

    /// The replacement of a channel: a hand-off queue if the capacity is zero, otherwise a bounded queue.
    static <T> BlockingQueue<T> queue(int capacity) {
        return capacity == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(capacity);
    }
}
