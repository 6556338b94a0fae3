package dev.heddle.trace;

import org.jspecify.annotations.Nullable;

/// A queue of runnable goroutines, as far as the recording tells its order. A goroutine is in one queue at most.
public final class RunQueue {

    /// The kinds of queues, with their names for people.
    public enum Kind {
        NEXT("runnext"),
        LOCAL("the local queue"),
        YIELDED("the threads that yielded"),
        GLOBAL("the global queue"),
        /// Brought to the machine to which its thread is locked.
        MAIL("the machine of its locked thread");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final Kind kind;
    private final @Nullable Processor processor;
    private @Nullable Goroutine first;
    private @Nullable Goroutine last;
    private int size;

    /// @param processor to which it belongs; null: to the scheduler
    RunQueue(Kind kind, @Nullable Processor processor) {
        this.kind = kind;
        this.processor = processor;
    }

    public Kind kind() {
        return kind;
    }

    /// The processor to which it belongs; null: to the scheduler.
    public @Nullable Processor processor() {
        return processor;
    }

    public int size() {
        return size;
    }

    /// The goroutine at its head; null if it is empty.
    @Nullable
    Goroutine first() {
        return first;
    }

    /// The goroutine at its tail; null if it is empty.
    @Nullable
    Goroutine last() {
        return last;
    }

    /// Appends a goroutine that is in no queue.
    void add(Goroutine goroutine) {
        goroutine.queue = this;
        goroutine.before = last;
        goroutine.after = null;
        if (last == null) {
            first = goroutine;
        } else {
            last.after = goroutine;
        }
        last = goroutine;
        size++;
    }

    /// Takes a goroutine out of its queue, if it is in one.
    static void remove(Goroutine goroutine) {
        RunQueue queue = goroutine.queue;
        if (queue == null) {
            return;
        }
        Goroutine before = goroutine.before;
        Goroutine after = goroutine.after;
        if (before == null) {
            queue.first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            queue.last = before;
        } else {
            after.before = before;
        }
        goroutine.queue = null;
        goroutine.before = null;
        goroutine.after = null;
        queue.size--;
    }

    /// Moves at most that many goroutines from the head of this queue to the tail of another.
    void move(long count, RunQueue to) {
        for (long left = count; left > 0 && first != null; left--) {
            Goroutine goroutine = first;
            remove(goroutine);
            to.add(goroutine);
        }
    }
}
