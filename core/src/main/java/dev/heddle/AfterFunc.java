package dev.heddle;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A function that will be started when a context is done. Made by [Context#afterFunc(Go.Body)].
///
/// It is started on the scheduler of its maker; on the default one if that has been closed.
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

    /// Keeps the function from being started: true if it did; false if it was started, or stopped before.
    public boolean stop() {
        return context == null ? isStopped.compareAndSet(false, true) : context.remove(this);
    }

    @Override
    void parentIsDone(Cancellation cancellation) {
        Goroutines.startBody(scheduler, body);
    }
}
