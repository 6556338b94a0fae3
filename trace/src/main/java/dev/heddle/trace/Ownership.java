package dev.heddle.trace;

import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.ReplayListener.Loss;
import java.io.IOException;

/// Which machine owns which processor during a replay.
///
/// A processor that is taken is lost at P_TAKEN or at P_LOST, whatever comes first.
final class Ownership {

    private final States states;

    Ownership(States states) {
        this.states = states;
    }

    /// A machine that had a processor before the window.
    static void begin(Machine machine, Processor processor) {
        processor.machine = machine;
        machine.processor = processor;
    }

    /// P_START.
    void gain(Machine machine, TraceEvent event) throws Contradiction, IOException {
        Processor processor = processor(machine.scheduler(), event);
        if (machine.processor == processor) {
            return;
        }
        if (machine.processor != null) {
            throw new Contradiction(machine + " has " + machine.processor);
        }
        if (processor.machine != null) {
            throw new Contradiction(processor + " belongs to " + processor.machine);
        }
        processor.machine = machine;
        processor.since = states.now;
        machine.processor = processor;
        machine.isParked = false;
        Goroutine goroutine = machine.goroutine;
        if (goroutine != null) {
            states.change(goroutine, State.RUNNING, machine);
        }
        for (ReplayListener listener : states.listeners) {
            listener.gained(machine, processor);
        }
    }

    /// P_STOP.
    void stop(Machine machine, TraceEvent event) throws Contradiction, IOException {
        Processor processor = processor(machine.scheduler(), event);
        if (machine.processor != processor) {
            throw new Contradiction(machine + " does not have " + processor);
        }
        lose(machine, processor, Loss.STOP, event);
    }

    /// P_TAKEN: by another machine or thread.
    void taken(TraceEvent event, SchedulerState scheduler) throws IOException {
        int victim = (int) event.get(Field.MACHINE);
        if (victim >= 0) {
            lose(scheduler.machine(victim), processor(scheduler, event), Loss.TAKEN, event);
        }
    }

    /// P_LOST: the machine finds it taken.
    void foundTaken(Machine machine, TraceEvent event) throws IOException {
        lose(machine, processor(machine.scheduler(), event), Loss.FOUND_TAKEN, event);
    }

    private void lose(Machine machine, Processor processor, Loss how, TraceEvent event) throws IOException {
        if (machine.processor != processor) {
            return; // the other event about this loss came before
        }
        processor.machine = null;
        processor.since = states.now;
        machine.processor = null;
        Goroutine goroutine = machine.goroutine;
        if (goroutine != null) {
            states.change(goroutine, State.WITHOUT_PROCESSOR, machine);
        }
        for (ReplayListener listener : states.listeners) {
            listener.lost(machine, processor, how, event);
        }
    }

    private static Processor processor(SchedulerState scheduler, TraceEvent event) {
        return scheduler.processor((int) event.get(Field.PROCESSOR));
    }
}
