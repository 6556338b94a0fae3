package dev.heddle;

import dev.heddle.internal.event.Goexit;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A group of goroutines that work on parts of one task; the first failure is the failure of the task.
/// Go: golang.org/x/sync/errgroup.
///
/// ```java
/// var group = ErrGroup.withContext(context);
/// group.setLimit(10);
/// for (Url url : urls) {
///     group.go(() -> fetch(url));        // waits while ten are running
/// }
/// group.await();                         // throws if one failed, with the first failure as the cause
/// ```
///
/// In a group with a context, the first failure interrupts the other goroutines. The group's context is done when a
/// goroutine fails, when [#await()] returns, or when the parent context is done.
public final class ErrGroup {
    private final WaitGroup running = new WaitGroup();
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final @Nullable Cancellable context;
    private volatile @Nullable Chan<Boolean> permits;

    /// Makes a group without a context: a failure does not stop the other goroutines.
    public ErrGroup() {
        this(null);
    }

    private ErrGroup(@Nullable Cancellable context) {
        this.context = context;
    }

    /// Makes a group with a context of its own, which is a child of `parent`.
    public static ErrGroup withContext(Context parent) {
        return new ErrGroup(parent.withCancel());
    }

    /// The context of this group. It is done when a goroutine failed, [#await()] returned, or the parent is done.
    ///
    /// @throws IllegalStateException if the group was made without one
    public Context context() {
        if (context == null) {
            throw new IllegalStateException("this group was made without a context");
        }
        return context;
    }

    /// Lets at most `limit` goroutines of this group run at the same time; a negative number means no limit.
    ///
    /// @throws IllegalStateException if goroutines of this group are running
    public void setLimit(int limit) {
        int now = active.get();
        if (now != 0) {
            throw new IllegalStateException(
                    "errgroup: modify limit while " + now + " goroutines in the group are still active");
        }
        permits = limit < 0 ? null : Chan.make(limit);
    }

    /// Starts `body` in a goroutine. If as many goroutines run as [#setLimit(int)] allows, waits first until one
    /// ends.
    ///
    /// @throws InterruptedException if there is a limit and the thread is interrupted, at entry or while it waits;
    /// then
    ///     nothing was started
    public void go(Go.Body body) throws InterruptedException {
        Objects.requireNonNull(body);
        Chan<Boolean> mine = permits;
        if (mine != null) {
            mine.send(true);
        }
        start(body, mine);
    }

    /// Starts `body` in a goroutine if the limit allows that now; returns whether it did.
    public boolean tryGo(Go.Body body) {
        Objects.requireNonNull(body);
        Chan<Boolean> mine = permits;
        if (mine != null && !mine.trySend(true)) {
            return false;
        }
        start(body, mine);
        return true;
    }

    /// Waits until all goroutines of the group have ended.
    ///
    /// @throws ExecutionException with the first failure as its cause, if one failed
    /// @throws InterruptedException if the thread is interrupted before all have ended
    public void await() throws ExecutionException, InterruptedException {
        running.await();
        Throwable first = failure.get();
        if (context != null) {
            context.cancel(first);
        }
        if (first != null) {
            throw new ExecutionException(first);
        }
    }

    private void start(Go.Body body, @Nullable Chan<Boolean> permit) {
        running.add(1);
        active.incrementAndGet();
        boolean started = false;
        try {
            Go.go(new Member(this, body, permit));
            started = true;
        } finally {
            if (!started) {
                finish(permit);
            }
        }
    }

    /// The body of a goroutine of the group.
    private static final class Member extends GroupBody {
        private final ErrGroup group;
        private final @Nullable Chan<Boolean> permit;

        Member(ErrGroup group, Go.Body body, @Nullable Chan<Boolean> permit) {
            super(body);
            this.group = group;
            this.permit = permit;
        }

        @Override
        public void run() {
            group.run(body, permit);
        }
    }

    private void run(Go.Body body, @Nullable Chan<Boolean> permit) {
        try {
            if (context == null) {
                body.run();
            } else {
                context.callBody(body);
            }
        } catch (Goexit e) {
            throw e;
        } catch (Throwable e) {
            if (failure.compareAndSet(null, e) && context != null) {
                context.cancel(e);
            }
        } finally {
            finish(permit);
        }
    }

    private void finish(@Nullable Chan<Boolean> permit) {
        active.decrementAndGet();
        if (permit != null) {
            permit.tryReceive();
        }
        running.done();
    }
}
