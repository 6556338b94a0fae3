package dev.heddle.internal.kernel;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The main goroutine of `Go.main`. The program ends when it returns or throws, but not when it calls `goexit`.
final class MainGoroutine implements Goroutine.Body {

    private final Goroutine.Body body;
    private final DeadlockDetector deadlock;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;

    MainGoroutine(Goroutine.Body body, DeadlockDetector deadlock) {
        this.body = body;
        this.deadlock = deadlock;
    }

    @Override
    public void run() {
        try {
            body.run();
            done.countDown();
        } catch (Goexit _) {
            deadlock.mainExited(); // the other goroutines continue, and await() never returns
        } catch (Throwable thrown) {
            failure = thrown;
            done.countDown();
        }
    }

    /// Waits until main has returned or thrown; throws what main threw.
    void await() throws Throwable {
        done.await();
        Throwable thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }
}
