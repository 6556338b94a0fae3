package dev.heddle.internal.kernel;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The main goroutine of `Go.main`: its end, however it comes, is the end of the program.
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
            deadlock.mainExited(); // the others go on, and main never returns
        } catch (Throwable thrown) {
            failure = thrown;
            done.countDown();
        }
    }

    /// Waits for the end of main; throws what it threw.
    void await() throws Throwable {
        done.await();
        Throwable thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }
}
