package dev.heddle.trace;

import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.Place;
import dev.heddle.internal.trace.TraceEvent;
import org.jspecify.annotations.Nullable;

/// Follows the run queues during a replay.
///
/// The recording says where each goroutine was put, and how many a steal or a spill moved, but not which. So
/// lengths and places follow from the order of the queues. A thief and an owner that use a queue at the same
/// moment may be noted in the other order: then a place is off by one, never a state.
final class Queues {

    private Queues() {}

    /// Queues a goroutine that has become runnable.
    ///
    /// @param by the machine that queued it; null: another thread
    static void put(Goroutine goroutine, SchedulerState scheduler, @Nullable Machine by, long place) {
        Processor processor = by == null ? null : by.processor;
        RunQueue queue = scheduler.global;
        if (processor != null && place == Place.NEXT.ordinal()) {
            Goroutine displaced = processor.next.first();
            if (displaced != null) {
                RunQueue.remove(displaced);
                append(displaced, processor.local, processor.next.size());
            }
            queue = processor.next;
        } else if (processor != null && place == Place.TAIL.ordinal()) {
            queue = processor.local;
        }
        append(goroutine, queue, queue.kind() == RunQueue.Kind.LOCAL && processor != null ? processor.next.size() : 0);
    }

    /// Queues a goroutine that yielded.
    static void putYielded(Goroutine goroutine, Machine machine) {
        Processor processor = machine.processor;
        if (processor == null) {
            append(goroutine, machine.scheduler().global, 0);
        } else {
            append(goroutine, processor.yielded, processor.next.size() + processor.local.size());
        }
    }

    private static void append(Goroutine goroutine, RunQueue queue, int more) {
        RunQueue.remove(goroutine);
        goroutine.position = new Goroutine.Position(queue.kind(), queue.processor(), more + queue.size());
        queue.add(goroutine);
    }

    /// What an event moves from queue to queue. Its machine has a processor.
    static void move(TraceEvent event, SchedulerState scheduler, Processor own) {
        switch (event.kind()) {
            case STEAL -> {
                Processor victim = scheduler.processor((int) event.get(Field.PROCESSOR));
                long count = event.get(Field.COUNT);
                if (event.get(Field.YIELDED) == 1) {
                    victim.yielded.move(count, own.yielded);
                } else if (victim.local.size() == 0) {
                    victim.next.move(count, own.local);
                } else {
                    victim.local.move(count, own.local);
                }
            }
            case SPILL -> spill(event, scheduler, own);
            case GLOBAL_TAKE -> scheduler.global.move(event.get(Field.COUNT), own.local);
            case SHARE -> shareAll(own, scheduler);
            case SLICE_END -> own.next.move(1, own.yielded);
            default -> {}
        }
    }

    /// The older half of a full queue and the entry that is being added, which is its last; or all yielded threads.
    private static void spill(TraceEvent event, SchedulerState scheduler, Processor own) {
        if (event.get(Field.YIELDED) == 1) {
            own.yielded.move(event.get(Field.COUNT), scheduler.global);
            return;
        }
        Goroutine added = own.local.last();
        own.local.move(event.get(Field.COUNT) - 1, scheduler.global);
        if (added != null && added.queue == own.local) {
            RunQueue.remove(added);
            scheduler.global.add(added);
        }
    }

    /// All queues of a processor to the global one.
    static void shareAll(Processor processor, SchedulerState scheduler) {
        processor.yielded.move(Integer.MAX_VALUE, scheduler.global);
        processor.next.move(Integer.MAX_VALUE, scheduler.global);
        processor.local.move(Integer.MAX_VALUE, scheduler.global);
    }

    /// Another machine brought the goroutine to the one to which its thread is locked.
    static void deliver(Goroutine goroutine, Machine to) {
        RunQueue.remove(goroutine);
        append(goroutine, to.mail, 0);
    }
}
