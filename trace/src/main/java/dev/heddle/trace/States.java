package dev.heddle.trace;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changes the states of goroutines during a replay: tells the listeners how long each state lasted, and keeps the
/// counts of each scheduler.
final class States {

    final List<ReplayListener> listeners;

    /// The time of the event that was read last.
    long now;

    /// @param from when the window begins
    States(List<ReplayListener> listeners, long from) {
        this.listeners = listeners;
        this.now = from;
    }

    /// The first state of a goroutine, since now.
    void begin(Goroutine goroutine, State state) {
        goroutine.state = state;
        goroutine.since = now;
        count(goroutine, 1);
    }

    /// @param machine on which it runs from now on; null: it does not
    void change(Goroutine goroutine, State to, @Nullable Machine machine) throws IOException {
        last(goroutine);
        count(goroutine, -1);
        goroutine.machine = machine;
        begin(goroutine, to);
    }

    /// Tells the listeners of the time that the goroutine has spent in its state up to now.
    void last(Goroutine goroutine) throws IOException {
        for (ReplayListener listener : listeners) {
            listener.interval(goroutine, now);
        }
    }

    private static void count(Goroutine goroutine, int by) {
        SchedulerState scheduler = goroutine.scheduler();
        switch (goroutine.state) {
            case RUNNABLE -> scheduler.runnable += by;
            case RUNNING -> scheduler.running += by;
            case WITHOUT_PROCESSOR -> scheduler.withoutProcessor += by;
            case WAITING -> scheduler.waiting += by;
            case ENDED -> {}
        }
    }
}
