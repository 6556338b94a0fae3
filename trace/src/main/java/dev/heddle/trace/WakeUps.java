package dev.heddle.trace;

import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.Place;
import dev.heddle.internal.trace.TraceEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Goroutines become runnable during a replay: they are created, or woken.
final class WakeUps {

    private final Goroutines goroutines;
    private final States states;

    WakeUps(Goroutines goroutines, States states) {
        this.goroutines = goroutines;
        this.states = states;
    }

    /// GO_CREATE, THREAD_CREATE: it is new.
    void create(TraceEvent event, SchedulerState scheduler, @Nullable Machine by) throws Contradiction, IOException {
        boolean isThread = event.kind() == EventKind.THREAD_CREATE;
        Goroutine goroutine = isThread
                ? goroutines.createThread(event.get(Field.THREAD))
                : goroutines.create(event.get(Field.NUMBER));
        goroutine.scheduler = scheduler;
        goroutine.thread = isThread ? goroutine.id() : 0;
        goroutine.body = event.name();
        goroutine.name = event.text();
        goroutine.createdAt = states.now;
        goroutine.creator = by == null ? null : by.goroutine;
        goroutine.cause = Goroutine.Cause.CREATED;
        wokenBy(goroutine, by, event);
        states.begin(goroutine, State.RUNNABLE);
        Queues.put(goroutine, scheduler, by, event.get(Field.PLACE));
        for (ReplayListener listener : states.listeners) {
            listener.created(goroutine, by, event);
        }
    }

    private void wokenBy(Goroutine goroutine, @Nullable Machine by, TraceEvent event) {
        goroutine.waker = by == null ? null : by.goroutine;
        goroutine.wakerMachine = by;
        goroutine.wakerThread = event.writer();
        goroutine.wokenAt = states.now;
    }

    /// GO_READY: it waited.
    void ready(TraceEvent event, SchedulerState scheduler, @Nullable Machine by) throws Contradiction, IOException {
        Goroutine goroutine = goroutines.of(event.get(Field.THREAD));
        boolean isAgain = event.get(Field.PLACE) == Place.GLOBAL_AGAIN.ordinal();
        if (goroutine == null || goroutine.state != State.WAITING) {
            if (isAgain) {
                return;
            }
            throw new Contradiction(Goroutines.describe(goroutine));
        }
        states.change(goroutine, State.RUNNABLE, null);
        goroutine.cause = Goroutine.Cause.WOKEN;
        wokenBy(goroutine, by, event);
        Queues.put(goroutine, scheduler, by, event.get(Field.PLACE));
        for (ReplayListener listener : states.listeners) {
            listener.woken(goroutine, by, event);
        }
    }

    /// GO_REFUSED: the event before was not carried out.
    void refuse(TraceEvent event) throws Contradiction, IOException {
        Goroutine goroutine = goroutines.of(event.get(Field.THREAD));
        if (goroutine == null || goroutine.state != State.RUNNABLE) {
            throw new Contradiction(Goroutines.describe(goroutine));
        }
        RunQueue.remove(goroutine);
        boolean neverStarts = goroutine.cause == Goroutine.Cause.CREATED;
        states.change(goroutine, neverStarts ? State.ENDED : State.WAITING, null);
        if (neverStarts) {
            goroutines.remove(goroutine);
        }
        for (ReplayListener listener : states.listeners) {
            listener.refused(goroutine);
        }
    }
}
