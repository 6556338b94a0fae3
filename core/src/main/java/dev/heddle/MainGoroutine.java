package dev.heddle;

import dev.heddle.internal.event.Goexit;
import dev.heddle.internal.kernel.DeadlockDetector;
import dev.heddle.internal.kernel.Kernel;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The main goroutine of `Go.main`. The program ends when it returns or throws, but not when it calls `goexit`.
final class MainGoroutine implements Go.Body {

    private final Go.Body body;
    private final DeadlockDetector deadlock;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;

    private MainGoroutine(Go.Body body, DeadlockDetector deadlock) {
        this.body = body;
        this.deadlock = deadlock;
    }

    /// Runs `body` as the main goroutine and waits for it, watching for deadlock. On a platform thread.
    /// Go: runtime.main.
    ///
    /// @throws Throwable what the body threw
    static void run(Kernel kernel, Go.Body body) throws Throwable {
        DeadlockDetector deadlock = kernel.deadlock();
        MainGoroutine main = new MainGoroutine(body, deadlock);
        kernel.spawn(new BodyGoroutine(main));
        deadlock.begin(Thread.currentThread());
        try {
            main.await();
        } finally {
            deadlock.end();
        }
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
    private void await() throws Throwable {
        done.await();
        Throwable thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }
}
