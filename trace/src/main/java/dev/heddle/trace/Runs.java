package dev.heddle.trace;

import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.ParkReason;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.trace.ReplayListener.Stop;
import java.io.IOException;
import java.util.Collection;

/// The runs of goroutines on machines during a replay: how they start, and how they stop.
final class Runs {
    /*
     * Ghosts.      An entry may be queued twice. The machine that finds the second one starts it, it runs nothing, and
     *              GO_VOID follows. When such a start is read, its goroutine usually runs elsewhere or waits. It becomes
     *              a ghost on that machine, and if anything but GO_VOID follows there, the start was a contradiction.
     *              If two machines start the same goroutine, either of them may turn out to be the void one: when it is
     *              the first, the run of the second begins at that moment.
     * Ends.        Two machines may report the same end. The first report counts, the second is a void.
     */

    final RunCounts counts = new RunCounts();

    private final Collection<SchedulerState> schedulers;
    private final Goroutines goroutines;
    private final States states;

    /// @param schedulers a view of the known schedulers, to which later ones are added
    Runs(Collection<SchedulerState> schedulers, Goroutines goroutines, States states) {
        this.schedulers = schedulers;
        this.goroutines = goroutines;
        this.states = states;
    }

    /// A run that began before the window.
    void begin(Machine machine, Goroutine goroutine) {
        machine.goroutine = goroutine;
        goroutine.machine = machine;
        counts.cutAtStart++;
    }

    /// The window ends.
    void ends() {
        for (Goroutine goroutine : goroutines.all()) {
            counts.cutAtEnd += goroutine.machine == null ? 0 : 1;
        }
        counts.pending = (int) schedulers.stream()
                .flatMap(it -> it.machines().stream())
                .filter(it -> it.ghost != null || it.mayReportEnd)
                .count();
    }

    /// GO_START: of a thread.
    void start(Machine machine, TraceEvent event) throws Contradiction, IOException {
        counts.starts++;
        expectNone(machine);
        Goroutine goroutine = goroutines.of(event.get(Field.THREAD));
        if (goroutine == null || goroutine.state != State.RUNNABLE) {
            machine.ghost = new Machine.Ghost(goroutine, event + ", but " + Goroutines.describe(goroutine));
            return;
        }
        run(machine, goroutine);
    }

    /// GO_START_FRESH: of a goroutine that has no thread yet.
    void startFresh(Machine machine, TraceEvent event) throws Contradiction, IOException {
        counts.starts++;
        expectNone(machine);
        Goroutine goroutine = goroutines.join(event.get(Field.NUMBER), event.get(Field.THREAD));
        if (!event.name().isEmpty()) {
            goroutine.body = event.name();
        }
        run(machine, goroutine);
    }

    private static void expectNone(Machine machine) throws Contradiction {
        Goroutine runs = machine.goroutine;
        if (runs != null) {
            throw new Contradiction(machine + " still runs " + runs.label());
        }
        expectNoGhost(machine);
    }

    private static void expectNoGhost(Machine machine) throws Contradiction {
        Machine.Ghost ghost = machine.ghost;
        if (ghost != null) {
            throw new Contradiction("no GO_VOID came after an impossible start: " + ghost.event());
        }
    }

    private void run(Machine machine, Goroutine goroutine) throws IOException {
        RunQueue.remove(goroutine);
        states.change(goroutine, machine.processor == null ? State.WITHOUT_PROCESSOR : State.RUNNING, machine);
        machine.goroutine = goroutine;
        machine.handOff = "";
        machine.mayReportEnd = false;
        for (ReplayListener listener : states.listeners) {
            listener.started(goroutine, machine);
        }
    }

    private Goroutine running(Machine machine) throws Contradiction {
        Goroutine goroutine = machine.goroutine;
        if (goroutine == null) {
            expectNoGhost(machine);
            throw new Contradiction(machine + " runs nothing");
        }
        return goroutine;
    }

    /// GO_PARK.
    void park(Machine machine, TraceEvent event) throws Contradiction, IOException {
        Goroutine goroutine = running(machine);
        counts.parks++;
        unmount(goroutine, machine, State.WAITING);
        goroutine.reason = ParkReason.of(event.get(Field.REASON));
        goroutine.blocker = event.name();
        goroutine.stack = machine.stack;
        machine.stack = 0;
        stopped(goroutine, machine, Stop.PARK);
    }

    /// GO_YIELD.
    void yields(Machine machine, TraceEvent event) throws Contradiction, IOException {
        Goroutine goroutine = running(machine);
        counts.yields++;
        boolean isAsked = event.get(Field.PREEMPTED) == 1;
        unmount(goroutine, machine, State.RUNNABLE);
        goroutine.cause = isAsked ? Goroutine.Cause.PREEMPTED : Goroutine.Cause.YIELDED;
        goroutine.waker = null;
        goroutine.wakerMachine = machine;
        goroutine.wokenAt = states.now;
        Queues.putYielded(goroutine, machine);
        stopped(goroutine, machine, isAsked ? Stop.PREEMPT : Stop.YIELD);
    }

    private void unmount(Goroutine goroutine, Machine machine, State to) throws IOException {
        states.change(goroutine, to, null);
        machine.goroutine = null;
        machine.isBlocking = false;
    }

    private void stopped(Goroutine goroutine, Machine machine, Stop how) throws IOException {
        for (ReplayListener listener : states.listeners) {
            listener.stopped(goroutine, machine, how);
        }
    }

    /// GO_END.
    void end(Machine machine) throws Contradiction, IOException {
        Machine.Ghost ghost = machine.ghost;
        if (ghost != null) {
            machine.ghost = null;
            Goroutine goroutine = ghost.goroutine();
            Machine elsewhere = goroutine == null ? null : goroutine.machine;
            if (goroutine == null || goroutine.state == State.ENDED) {
                counts.voids++;
            } else if (elsewhere != null) {
                counts.ends++;
                end(elsewhere, goroutine);
                elsewhere.mayReportEnd = true;
            } else {
                throw new Contradiction("no GO_VOID came after an impossible start: " + ghost.event());
            }
        } else if (machine.goroutine == null && machine.mayReportEnd) {
            machine.mayReportEnd = false;
            counts.voids++;
        } else {
            Goroutine goroutine = running(machine);
            counts.ends++;
            end(machine, goroutine);
        }
    }

    private void end(Machine machine, Goroutine goroutine) throws IOException {
        unmount(goroutine, machine, State.ENDED);
        goroutines.remove(goroutine);
        stopped(goroutine, machine, Stop.END);
    }

    /// GO_VOID.
    void voidRun(Machine machine) throws Contradiction, IOException {
        counts.voids++;
        if (machine.ghost != null) {
            machine.ghost = null;
            return;
        }
        Goroutine goroutine = running(machine);
        unmount(goroutine, machine, State.RUNNABLE);
        stopped(goroutine, machine, Stop.VOID);
        for (SchedulerState scheduler : schedulers) {
            for (Machine other : scheduler.machines()) {
                Machine.Ghost ghost = other.ghost;
                if (ghost != null && ghost.goroutine() == goroutine) {
                    other.ghost = null;
                    run(other, goroutine);
                    return;
                }
            }
        }
    }
}
