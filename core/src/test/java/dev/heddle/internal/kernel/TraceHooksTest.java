package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Go;
import dev.heddle.internal.event.WaitReason;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.HandOffReason;
import dev.heddle.internal.trace.ParkReason;
import dev.heddle.internal.trace.Place;
import dev.heddle.internal.trace.TraceEvent;
import dev.heddle.testing.ChildJvm;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Every hook writes its event: each test makes something happen that only that hook can tell.
class TraceHooksTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static Set<EventKind> kindsOf(List<TraceEvent> events) {
        return events.stream()
                .map(TraceEvent::kind)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(EventKind.class)));
    }

    private static void until(BooleanSupplier condition) {
        await().atMost(PATIENCE).pollDelay(Duration.ZERO).until(condition::getAsBoolean);
    }

    // ---- a scheduler at work

    @Test
    void theLifeOfGoroutinesThreadsAndMachinesIsTold() throws InterruptedException {
        TestRecording recording = new TestRecording();
        Kernel kernel;
        try (Rig rig = Rig.procs(2)) {
            kernel = rig.kernel();
            Thread thread = rig.start(() -> {
                LockSupport.park();
                LockSupport.parkNanos(1);
            });
            until(() -> thread.getState() == Thread.State.WAITING);
            LockSupport.unpark(thread);
            rig.join(thread);
            rig.join(rig.start(() -> LockSupport.parkNanos(50_000_000))); // longer than machines search
            rig.await(rig.goMany(2, () -> {
                Go.gosched();
                Thread.yield();
            }));
            rig.await(rig.goMany(1, () -> {
                rig.kernel().lockThread();
                rig.kernel().unlockThread();
                Kernel.blocking(() -> null);
            }));
            Semaphore release = new Semaphore(0);
            Thread blocker = rig.startDeclaredBlock(release);
            until(() -> rig.kernel().counters.blockedHandOffs.get() > 0);
            release.release();
            rig.join(blocker);
            rig.scheduler().setProcs(3);
        }
        until(() -> kernel.machineCounts.machines() == 0); // their ends are events, too
        TestRecording.Content content = recording.stop();
        TraceCheck.check(content);
        assertThat(kindsOf(content.strictOnes()))
                .contains(
                        EventKind.GO_CREATE,
                        EventKind.THREAD_CREATE,
                        EventKind.GO_READY,
                        EventKind.GO_START,
                        EventKind.GO_START_FRESH,
                        EventKind.GO_PARK,
                        EventKind.GO_YIELD,
                        EventKind.GO_END,
                        EventKind.P_START,
                        EventKind.P_STOP,
                        EventKind.P_TAKEN,
                        EventKind.HAND_OFF,
                        EventKind.GIVE_AWAY,
                        EventKind.M_BEGIN,
                        EventKind.M_END,
                        EventKind.M_PARK,
                        EventKind.M_UNPARK,
                        EventKind.M_WAKE,
                        EventKind.SPIN_BEGIN,
                        EventKind.SPIN_END,
                        EventKind.SLEEP_BEGIN,
                        EventKind.SLEEP_END,
                        EventKind.TIMER_ADD,
                        EventKind.TIMERS,
                        EventKind.BLOCK_BEGIN,
                        EventKind.BLOCK_END,
                        EventKind.THREAD_LOCK,
                        EventKind.THREAD_UNLOCK,
                        EventKind.STW_BEGIN,
                        EventKind.STW_END,
                        EventKind.PROCS);
        assertThat(content.strictOnes())
                .anyMatch(it -> it.kind() == EventKind.HAND_OFF
                        && it.get(Field.WHY) == HandOffReason.DECLARED.ordinal()
                        && it.get(Field.NANOS) > 0)
                .anyMatch(it -> it.kind() == EventKind.PROCS && it.get(Field.COUNT) == 3)
                .anyMatch(it -> it.kind() == EventKind.GO_CREATE && it.name().equals(Rig.class.getName()));
    }

    @Test
    void hogsAndThreadsThatBlockUnannouncedAreTold() throws InterruptedException {
        TestRecording recording = new TestRecording();
        try (Rig rig = Rig.procs(1)) {
            Thread sleeper = rig.start(() -> {
                Jdk.pin();
                LockSupport.parkNanos(100_000_000);
                rig.hog();
                Jdk.unpin();
            });
            rig.await(rig.startMany(1, () -> {}));
            until(() -> rig.kernel().counters.undeclaredHandOffs.get() > 0);
            until(
                    () -> { // while all processors are idle, the monitor may sleep for a minute, and no hog does harm
                        rig.start(() -> {});
                        return rig.kernel().counters.detachedHogs.get() > 0;
                    });
            CountDownLatch done = rig.startHogs(3);
            until(
                    () -> { // a hog that the operating system kept waiting may have been found blocked instead
                        rig.start(() -> {});
                        return rig.kernel().counters.hogHandOffs.get() > 1;
                    });
            rig.relax();
            rig.await(done);
            rig.join(sleeper);
        }
        TestRecording.Content content = recording.stop();
        TraceCheck.check(content);
        List<TraceEvent> events = content.strictOnes();
        assertThat(kindsOf(events)).contains(EventKind.PREEMPT_ASK, EventKind.P_LOST, EventKind.HOG);
        for (HandOffReason why : List.of(HandOffReason.HOG, HandOffReason.ASLEEP)) {
            assertThat(events).anyMatch(it -> it.kind() == EventKind.HAND_OFF && it.get(Field.WHY) == why.ordinal());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aHogThatGetsALowerPriorityIsTold() throws InterruptedException {
        try (Rig rig = Rig.procs(1)) {
            rig.await(rig.goMany(1, () -> {}));
            until(() -> rig.kernel().monitor.demoter().ability() == Demoter.Ability.READY);
            TestRecording recording = new TestRecording();
            CountDownLatch done = rig.startHogs(5);
            until(
                    () -> { // see above
                        rig.start(() -> {});
                        return rig.kernel().counters.demoted.get() > 0;
                    });
            TestRecording.Content content = recording.stop();
            assertThat(kindsOf(content.strictOnes())).contains(EventKind.DEMOTE);
            rig.relax();
            rig.await(done);
        }
    }

    /// On a full heap a thread may find no place in a queue: it is runnable no longer, and says so.
    @Test
    void aThreadThatCannotBeQueuedIsTold() throws Exception {
        ChildJvm.Result child = ChildJvm.of(RefusedProgram.class)
                .option("-Xmx24m", "-Xlog:disable")
                .run();
        assertThat(child.out()).as(child.err()).isEqualTo("[GO_READY, GO_REFUSED]" + System.lineSeparator());
    }

    // ---- steps of machines that the test makes itself

    /// What a driven machine tells while `steps` are made.
    private static List<TraceEvent> driven(Steps steps) {
        Kernel kernel = DrivenMachine.kernel(2);
        DrivenMachine first = new DrivenMachine(kernel);
        DrivenMachine second = new DrivenMachine(kernel);
        TestRecording recording = new TestRecording();
        try {
            recording.add(first.machine);
            recording.add(second.machine);
            steps.make(kernel, first, second);
            return recording.stop().events();
        } finally {
            TraceSwitch.off();
            DrivenMachine.end(kernel);
        }
    }

    private interface Steps {
        void make(Kernel kernel, DrivenMachine first, DrivenMachine second);
    }

    private static void start(DrivenMachine on, int count) {
        for (int i = 0; i < count; i++) {
            boolean _ = on.machine.kernel.submitter.start(on.machine, new TestGoroutine(() -> {}));
        }
    }

    private static TraceEvent only(List<TraceEvent> events, EventKind kind) {
        List<TraceEvent> found = events.stream().filter(it -> it.kind() == kind).toList();
        assertThat(found).as(kind.name()).hasSize(1);
        return found.getFirst();
    }

    @Test
    void aSpillAndATakeFromTheGlobalQueueAreTold() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            start(first, LocalRunQueue.CAPACITY + 2); // runNext, a full ring, and one more
            second.processor.schedTick = 1; // not the turn of the global queue
            assertThat(second.runNext()).isNotNull();
        });
        TraceEvent spill = only(events, EventKind.SPILL);
        assertThat(spill.get(Field.COUNT)).isEqualTo(LocalRunQueue.CAPACITY / 2 + 1);
        assertThat(spill.get(Field.YIELDED)).isZero();
        TraceEvent take = only(events, EventKind.GLOBAL_TAKE);
        assertThat(take.get(Field.COUNT)).isEqualTo((LocalRunQueue.CAPACITY / 2 + 1 + 1) / 2);
        assertThat(events)
                .filteredOn(it -> it.kind() == EventKind.GO_CREATE)
                .hasSize(LocalRunQueue.CAPACITY + 2)
                .allMatch(it -> it.get(Field.PLACE) == Place.NEXT.ordinal());
    }

    @Test
    void aTheftIsTold() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            start(first, 5); // one is in runNext
            Thief thief = new Thief(second.machine, kernel, new DueTimers(second.machine, kernel));
            assertThat(thief.steal(second.processor)).isNotNull();
        });
        TraceEvent steal = only(events, EventKind.STEAL);
        assertThat(steal.get(Field.COUNT)).isEqualTo(2);
        assertThat(steal.get(Field.YIELDED)).isZero();
    }

    /// One entry in its turn: for the loop, and for a shell.
    @Test
    void anEntryThatIsTakenInTheTurnOfTheGlobalQueueIsTold() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            putGlobally(kernel, 2);
            second.processor.globalTurns = 5;
            second.processor.schedTick = 0;
            assertThat(second.machine.search.nextFresh(second.processor)).isNotNull();
            assertThat(takes(second)).isOne();
            second.processor.schedTick = 0;
            assertThat(second.machine.search.findLocally(second.processor)).isNotNull();
        });
        assertThat(events)
                .filteredOn(it -> it.kind() == EventKind.GLOBAL_TAKE)
                .hasSize(2)
                .allMatch(it -> it.get(Field.COUNT) == 1);
    }

    private static void putGlobally(Kernel kernel, int count) {
        for (int i = 0; i < count; i++) {
            boolean _ = kernel.submitter.start(null, new TestGoroutine(() -> {}));
        }
    }

    /// How many turns of the global queue are over.
    private static int takes(DrivenMachine machine) {
        return 5 - machine.processor.globalTurns;
    }

    @Test
    void aShareOfTheGlobalQueueForAShellIsTold() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            putGlobally(kernel, 8);
            second.processor.schedTick = 1; // not the turn of the global queue
            assertThat(second.machine.search.nextFresh(second.processor)).isNotNull();
        });
        assertThat(only(events, EventKind.GLOBAL_TAKE).get(Field.COUNT)).isEqualTo(4 + 1);
    }

    @Test
    void aFullRingOfThreadsThatYieldedIsTold() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            for (int i = 0; i < Yielded.CAPACITY; i++) {
                first.yieldHere(new TestGoroutine(() -> {}));
            }
            first.yieldHere(new TestGoroutine(() -> {})); // the ring is full
        });
        TraceEvent spill = only(events, EventKind.SPILL);
        assertThat(spill.get(Field.COUNT)).isEqualTo(Yielded.CAPACITY);
        assertThat(spill.get(Field.YIELDED)).isOne();
    }

    /// They were there before the entries that spill.
    @Test
    void threadsThatYieldedAreToldWhenTheQueueSpills() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            first.yieldHere(new TestGoroutine(() -> {}));
            start(first, LocalRunQueue.CAPACITY + 2);
        });
        assertThat(events)
                .filteredOn(it -> it.kind() == EventKind.SPILL)
                .extracting(it -> it.get(Field.YIELDED))
                .containsExactly(1L, 0L);
    }

    @Test
    void threadsThatAreStolenForTheirTurnAreTold() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            Goroutine own = new TestGoroutine(() -> {});
            first.processor.schedTick = 1;
            first.yieldHere(own);
            for (int i = 0; i < 4; i++) {
                second.yieldHere(new TestGoroutine(() -> {}));
            }
            assertThat(first.runNext()).as("its turn in the next round").isSameAs(own);
            first.yieldHere(own);
            assertThat(first.runNext()).as("the victim's threads are behind").isNotSameAs(own);
        });
        TraceEvent steal = only(events, EventKind.STEAL);
        assertThat(steal.get(Field.YIELDED)).isOne();
        assertThat(steal.get(Field.PROCESSOR)).isEqualTo(1);
    }

    /// A machine that sleeps is given a processor, with the task to search for work.
    @Test
    void aMachineThatIsGivenAProcessorSaysSo() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            kernel.lock.lock();
            try {
                Processor given = second.machine.releaseLocked();
                second.machine.expectGrantLocked();
                second.machine.grantLocked(given);
            } finally {
                kernel.lock.held = 0;
            }
            assertThat(second.machine.receiveGrant()).isTrue();
        });
        assertThat(events)
                .filteredOn(
                        it -> it.machine() == 1 && (it.kind() == EventKind.P_STOP || it.kind() == EventKind.P_START))
                .extracting(TraceEvent::kind)
                .containsExactly(EventKind.P_STOP, EventKind.P_START);
    }

    /// A processor that waited for a machine brings the task to search for work with it.
    @Test
    void aMachineThatFindsAProcessorToSearchWithSaysSo() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            kernel.lock.lock();
            try {
                kernel.idle.put(second.machine.releaseLocked());
            } finally {
                kernel.lock.held = 0;
            }
            start(first, 2); // now there is: the processor waits for a machine
            assertThat(kernel.idle.pendingProcessors()).isOne();
            assertThat(kernel.machines.acquirePending(second.machine)).isTrue();
        });
        assertThat(only(events, EventKind.SPIN_BEGIN).machine()).isEqualTo(1);
    }

    /// Of a machine that joined the recording too late to have a buffer, or that found no memory for one.
    @Test
    void whatTheProgramSaysOnAMachineWithoutABufferIsTold() {
        List<TraceEvent> events = driven((kernel, first, second) ->
                TraceSwitch.annotateHere(new Annotation(EventKind.TASK_END, 7, 0, 0, ""), /* machine= */ null));
        assertThat(only(events, EventKind.TASK_END).get(Field.TASK)).isEqualTo(7);
    }

    @Test
    void aMachineThatWaitsForItsLockedThreadIsTold() throws InterruptedException {
        TestRecording recording = new TestRecording();
        try (Rig rig = Rig.procs(1)) {
            CountDownLatch locked = new CountDownLatch(1);
            Semaphore release = new Semaphore(0);
            CountDownLatch done = rig.goMany(1, () -> {
                rig.kernel().lockThread();
                locked.countDown();
                release.acquire(); // its machine waits for it, and gives its processor to others
                rig.kernel().unlockThread();
            });
            rig.await(locked);
            until(() -> rig.kernel().locked.idleMachines() > 0);
            release.release();
            rig.await(done);
        }
        TestRecording.Content content = recording.stop();
        TraceCheck.check(content);
        List<TraceEvent> events = content.strictOnes();
        int machine = events.stream()
                .filter(it -> it.kind() == EventKind.THREAD_LOCK)
                .findFirst()
                .orElseThrow()
                .machine();
        assertThat(events.stream()
                        .filter(it -> it.machine() == machine)
                        .map(TraceEvent::kind)
                        .dropWhile(it -> it != EventKind.THREAD_LOCK)
                        .takeWhile(it -> it != EventKind.THREAD_UNLOCK))
                .containsSubsequence(EventKind.THREAD_LOCK, EventKind.M_PARK, EventKind.M_UNPARK);
    }

    @Test
    void theEndOfASliceAndASharedQueueAreTold() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            start(first, 1);
            first.processor.endSlice(first.processor.schedTick);
            start(first, 1);
            first.processor.endSlice(first.processor.schedTick);
            boolean _ = first.runNext() == null;
        });
        assertThat(only(events, EventKind.SHARE).get(Field.PROCESSOR)).isZero();
        assertThat(only(events, EventKind.SLICE_END).get(Field.PROCESSOR)).isZero();
    }

    @Test
    void aProcessorThatIsTakenIsToldByBothSides() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            first.machine.exitKernel();
            assertThat(first.machine.take(first.machine.word())).isTrue();
            first.machine.enterKernel();
            second.machine.acquire(first.processor);
        });
        TraceEvent taken = only(events, EventKind.P_TAKEN);
        assertThat(taken.get(Field.PROCESSOR)).isEqualTo(0);
        assertThat(taken.get(Field.MACHINE)).isEqualTo(0);
        assertThat(only(events, EventKind.P_LOST).machine()).isEqualTo(0);
        assertThat(only(events, EventKind.P_START).machine()).isEqualTo(1);
    }

    @Test
    void aNapIsTold() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            second.spin();
            Thief thief = new Thief(second.machine, kernel, new DueTimers(second.machine, kernel));
            assertThat(kernel.spin.nap(second.machine, second.processor, thief)).isTrue(); // the first one
            first.processor.switches++;
            assertThat(kernel.spin.nap(second.machine, second.processor, thief)).isTrue(); // announced
            kernel.spin.dropToken(second.machine);
        });
        assertThat(events).filteredOn(it -> it.kind() == EventKind.NAP_BEGIN).hasSize(2);
        assertThat(events).filteredOn(it -> it.kind() == EventKind.NAP_END).hasSize(2);
        only(events, EventKind.SPIN_BEGIN);
        only(events, EventKind.SPIN_END);
    }

    @Test
    void aLockedThreadThatAnotherMachineFindsIsTold() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            Thread thread = Jdk.newBareVirtualThread(kernel.pool(), () -> {});
            first.machine.locked.lock(thread);
            assertThat(kernel.locked.sendToOwner(second.machine, Jdk.resumeTaskOf(thread)))
                    .isTrue();
            first.machine.locked.unlock(thread);
        });
        TraceEvent delivery = only(events, EventKind.LOCKED_DELIVER);
        assertThat(delivery.machine()).isEqualTo(1);
        assertThat(delivery.get(Field.MACHINE)).isEqualTo(0);
    }

    @Test
    void anEntryThatRunsNothingIsVoid() {
        List<TraceEvent> events = driven((kernel, first, second) -> {
            Runnable task = Jdk.resumeTaskOf(Jdk.newBareVirtualThread(kernel.pool(), () -> {}));
            kernel.tracing.starts(first.machine, first.machine.trace, task, task);
            kernel.tracing.ran(first.machine.trace, task);
        });
        only(events, EventKind.GO_VOID);
    }

    /// An entry that was queued twice has run elsewhere when the shell begins it.
    @Test
    void aShellTellsWhetherItsGoroutineRan() {
        for (boolean hasRun : new boolean[] {true, false}) {
            List<TraceEvent> events = driven((kernel, first, second) -> {
                kernel.tracing.startsFresh(first.machine, first.machine.trace, new TestGoroutine(() -> {}), 77);
                Shells.tellEnd(first.machine.trace, hasRun);
            });
            only(events, hasRun ? EventKind.GO_END : EventKind.GO_VOID);
        }
    }

    /// The memory of their buffers is given back.
    @Test
    void machinesThatHaveEndedAreForgotten() throws InterruptedException {
        TestRecording recording = new TestRecording();
        int others = recording.buffers();
        try (Rig rig = Rig.procs(2)) {
            rig.await(rig.goMany(10, Go::gosched));
            assertThat(recording.buffers()).isGreaterThan(others);
        }
        until(() -> recording.buffers() == others);
        TestRecording.Content _ = recording.stop();
    }

    @Test
    void eventsAllocateNothing() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<TraceEvent> events = driven((kernel, first, second) -> {
            Goroutine goroutine = new TestGoroutine(() -> {});
            Runnable task = Jdk.resumeTaskOf(Jdk.newBareVirtualThread(kernel.pool(), () -> {}));
            write(first.machine, goroutine, task); // resolves what is resolved at the first use
            long before = threads.getCurrentThreadAllocatedBytes();
            write(first.machine, goroutine, task);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                    .as("bytes for " + 6 * EVENTS + " events")
                    .isLessThan(EVENTS);
        });
        assertThat(events).hasSizeGreaterThan(12 * EVENTS);
    }

    private static final int EVENTS = 2000;

    private static void write(Machine machine, Goroutine goroutine, Runnable task) {
        Tracing tracing = machine.kernel.tracing;
        for (int i = 0; i < EVENTS; i++) {
            tracing.queues(machine, machine.trace, goroutine, Place.NEXT);
            tracing.queues(machine, machine.trace, task, Place.TAIL);
            tracing.startsFresh(machine, machine.trace, goroutine, 77);
            tracing.ran(machine.trace, task);
            machine.note(EventKind.GLOBAL_TAKE, i, 0);
            tracing.note(EventKind.HAND_OFF, 1, 2, 0, i); // by this thread, which is no machine
        }
    }

    /// The file's codes of Heddle's own reasons are those of the enum that waiters use.
    @Test
    void everyWaitReasonHasACode() {
        for (WaitReason reason : WaitReason.values()) {
            assertThat(ParkReason.of(reason.ordinal()).name()).isEqualTo(reason.name());
        }
    }

    // ---- on and off

    @Test
    void nothingIsLeftBehind() throws InterruptedException {
        try (Rig rig = Rig.procs(2)) {
            rig.await(rig.goMany(10, Go::gosched));
            TestRecording recording = new TestRecording();
            rig.await(rig.goMany(10, Go::gosched));
            TestRecording.Content content = recording.stop();
            assertThat(content.strictOnes()).isNotEmpty();
            assertThat(content.dropped()).isZero();
            assertThat(rig.kernel().tracing.isOn()).isFalse();
            for (Machine machine = rig.kernel().allMachines.first(); machine != null; machine = machine.listNext) {
                assertThat(machine.trace).isNull();
            }
        }
    }
}
