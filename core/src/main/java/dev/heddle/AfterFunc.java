package dev.heddle;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A function that is started when a context is done. Made by [Context#afterFunc(Go.Body)].
///
/// It starts on the scheduler of the thread that registered it. If that scheduler has been closed, it starts on the
/// default scheduler.
public final class AfterFunc extends Cancellation.Child {
    private final @Nullable Cancellable context;
    private final Go.Body body;
    private final Scheduler scheduler = Scheduler.current();
    private final AtomicBoolean isStopped = new AtomicBoolean();

    private AfterFunc(@Nullable Cancellable context, Go.Body body) {
        this.context = context;
        this.body = Objects.requireNonNull(body);
    }

    static AfterFunc register(Context context, Go.Body body) {
        Cancellable canceller = context.canceller();
        var function = new AfterFunc(canceller, body);
        if (canceller != null) {
            canceller.add(function);
        }
        return function;
    }

    /// Keeps the function from being started. Returns true if this call did that; false if the context is done, so
    /// that the function has been or is being started, or if the function was stopped before.  Any thread.
    public boolean stop() {
        return context == null ? isStopped.compareAndSet(false, true) : context.remove(this);
    }

    @Override
    void parentIsDone(Cancellation cancellation) {
        Goroutines.startBody(scheduler, body);
    }
}
