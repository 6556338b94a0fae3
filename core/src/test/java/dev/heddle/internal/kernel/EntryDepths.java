package dev.heddle.internal.kernel;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.ThreadState;
import dev.heddle.internal.trace.EventKind;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The program of [EntryDepthTest]: enters the kernel by each entry point at each depth of a stack, from its very end
/// upwards, and proves the scheduler healthy after each.
///
/// `EntryDepths warm|cold ENTRY [recorded]`: the name of an [Entry], or `all`. Prints a line for each, and `sound`.
/// `recorded`: while events are recorded, whose hooks need stack, too.
final class EntryDepths {

    private static final int PROCS = 2;
    private static final int STACK = 256 * 1024;

    /// Attempts in one dive: more than the levels of the reserve.
    private static final int ATTEMPTS = 700;

    /// So many successes in a row, and the dive has passed the depths that matter.
    private static final int ENOUGH = 100;

    /// Dives of each entry point, each beginning some bytes deeper: a stack pointer is a multiple of 16.
    private static final int SHIFTS = 8;

    private static final int WARM_UP = 12_000;
    private static final long WARM_UP_NANOS = 200_000_000;
    private static final int PATIENCE_SECONDS = 60;

    enum Entry {
        GO,
        START_THREAD,
        UNPARK,
        TIMER,
        RESIZE,
        STATS,
        GOSCHED,
        GOSCHED_UNPINNED,
        CHECKPOINT,
        BLOCKING,
        DECLARED_BLOCKING,
        LOCK_THREAD,
        ANNOTATE,
        NEXT_FOR_SHELL;

        /// Whether a platform thread enters this way, too.
        boolean isForPlatformThreads() {
            return ordinal() <= STATS.ordinal();
        }

        /// Whether it does without room for a section: then only the calls before it can meet the end of the
        /// stack.
        boolean needsNoRoom() {
            return this == UNPARK || this == CHECKPOINT || this == DECLARED_BLOCKING || this == STATS;
        }
    }

    private static Kernel kernel;
    private static ThreadFactory factory;

    // Of the dive that is under way; there is one at a time. No calls: they would need stack of their own.
    private static Entry entry;
    private static int attempts;
    private static int accepted;
    private static int refused;
    private static int acceptedInRow;
    private static int enough;
    private static int onlyAt;
    private static @Nullable Throwable unexpected;

    private static final AtomicInteger RAN = new AtomicInteger();
    private static final Go.Body BODY = RAN::incrementAndGet;
    private static final Runnable TASK = RAN::incrementAndGet;

    /// The threads to be started and unparked: one for each attempt.
    private static Thread[] threads = new Thread[ATTEMPTS];

    /// The attempts in which the stack ended.
    private static final boolean[] REFUSED = new boolean[ATTEMPTS];

    private static int locks;

    /// Whose processor the helper is to take. See [#takeProcessors].
    private static volatile @Nullable Machine victim;

    private EntryDepths() {}

    public static void main(String[] arguments) throws Exception {
        Scheduler scheduler = null;
        if (DefaultScheduler.installed() instanceof KernelPool pool) {
            kernel = pool.kernel();
            factory = Thread.ofVirtual().factory();
            kernel.setProcs(PROCS);
        } else {
            scheduler = Scheduler.builder().procs(PROCS).build();
            factory = scheduler.threadFactory();
            kernel = ((KernelPool) Objects.requireNonNull(Jdk.poolOf(factory.newThread(() -> {})))).kernel();
        }
        Thread helper = new Thread(EntryDepths::takeProcessors);
        helper.setDaemon(true);
        helper.start();
        if (arguments[0].equals("warm")) {
            onVirtualThread(() -> {}); // the warm-up begins beside it
            if (!WarmUp.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the warm-up does not end");
            }
            for (Entry each : Entry.values()) {
                onVirtualThread(() -> warmUp(each));
            }
            verify("warming up");
        }
        TestRecording recording = arguments.length > 2 ? new TestRecording() : null;
        for (Entry each : Entry.values()) {
            if (arguments[1].equals("all") || arguments[1].equals(each.name())) {
                dives(each, /* virtual= */ true);
                if (each.isForPlatformThreads()) {
                    dives(each, /* virtual= */ false);
                }
            }
        }
        if (recording != null && recording.stop().events().isEmpty()) {
            throw new IllegalStateException("nothing was recorded");
        }
        if (scheduler != null) {
            scheduler.close();
        }
        System.out.println("sound");
        System.exit(0);
    }

    private static void warmUp(Entry each) {
        entry = each;
        prepare(ATTEMPTS);
        int most = each == Entry.START_THREAD || each == Entry.UNPARK ? ATTEMPTS : WARM_UP;
        long end = System.nanoTime() + WARM_UP_NANOS;
        for (attempts = 0; attempts < most && System.nanoTime() < end; attempts++) {
            attempt();
        }
        accepted = attempts;
        finish();
    }

    private static void dives(Entry each, boolean virtual) throws Exception {
        int dives = each == Entry.GOSCHED_UNPINNED ? 60 : SHIFTS;
        int allAccepted = 0;
        int allRefused = 0;
        for (int shift = 0; shift < dives; shift++) {
            entry = each;
            attempts = 0;
            accepted = 0;
            refused = 0;
            acceptedInRow = 0;
            enough = each.needsNoRoom() ? ATTEMPTS : ENOUGH;
            onlyAt = each == Entry.GOSCHED_UNPINNED ? 10 * shift : -1;
            int extra = shift;
            Runnable dive = () -> {
                prepare(ATTEMPTS);
                boolean pinned =
                        entry != Entry.GOSCHED_UNPINNED; // a yield would leave the stack on the heap, with no end
                if (pinned) {
                    Jdk.pin();
                }
                shifted(extra);
                if (pinned) {
                    Jdk.unpin();
                }
                finish();
            };
            RAN.set(0);
            if (virtual) {
                onVirtualThread(dive);
            } else {
                Thread thread = new Thread(null, dive, "diver", STACK);
                thread.start();
                join(thread, each.name());
            }
            verify(each + (virtual ? " on a virtual thread" : " on a platform thread"));
            allAccepted += accepted;
            allRefused += refused;
        }
        System.out.println(each
                + (virtual ? " virtual " : " platform ") + allAccepted + " accepted, " + allRefused
                + " refused, rescued so far: " + kernel.counters.rescues.get());
        if (allAccepted == 0 || (!each.needsNoRoom() && allRefused == 0)) {
            throw new IllegalStateException(each + ": the dives did not meet the end of the stack");
        }
    }

    private static void onVirtualThread(Runnable task) throws InterruptedException {
        Thread thread = factory.newThread(task);
        thread.start();
        join(thread, String.valueOf(entry));
    }

    private static void join(Thread thread, String what) throws InterruptedException {
        if (!thread.join(java.time.Duration.ofSeconds(PATIENCE_SECONDS))) {
            throw new IllegalStateException(what + ": the diver does not come back: " + state());
        }
    }

    // ---- the dive

    /// Uses up some stack, in frames of another size.
    private static int shifted(int extra) {
        if (extra > 0) {
            return 1 + shifted(extra - 1);
        }
        return (int) dive(1, 2, 3, 4, 5);
    }

    /// To the end of the stack; on the way back the kernel is entered at each level. The arguments make the
    /// frames so large that a few hundred levels are enough.
    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private static long dive(long a, long b, long c, long d, long e) {
        long deeper = 0;
        try {
            deeper = dive(b, c, d, e, a);
        } catch (StackOverflowError _) {
            // here is the end
        }
        if (attempts < ATTEMPTS && acceptedInRow < enough) {
            if (onlyAt < 0 || attempts == onlyAt) {
                try {
                    attempt();
                    accepted++;
                    acceptedInRow++;
                } catch (StackOverflowError _) {
                    REFUSED[attempts] = true; // a store: there may be no stack for a call
                    refused++;
                    acceptedInRow = 0;
                } catch (Throwable other) {
                    unexpected = other;
                }
            }
            attempts++;
        }
        return deeper + a + b + c + d + e;
    }

    private static void attempt() {
        switch (entry) {
            case GO -> kernel.spawn(new TestGoroutine(BODY::run));
            case START_THREAD -> threads[attempts].start();
            case UNPARK -> LockSupport.unpark(threads[attempts]);
            case TIMER -> kernel.schedule(TASK, 0);
            case RESIZE -> kernel.setProcs(1 + (attempts & 1));
            case STATS -> kernel.stats();
            case GOSCHED, GOSCHED_UNPINNED -> Go.gosched();
            case CHECKPOINT -> {
                if (Jdk.currentCarrierThread() instanceof Machine machine && machine.p != null) {
                    machine.p.endSlice(machine.p.schedTick);
                }
                Kernel.checkpoint();
            }
            case BLOCKING -> block();
            case DECLARED_BLOCKING -> blockDeclared();
            case LOCK_THREAD -> {
                kernel.lockThread();
                locks++;
                kernel.unlockThread();
                locks--;
            }
            case ANNOTATE -> kernel.entries.annotate(ANNOTATION);
            case NEXT_FOR_SHELL -> kernel.entries.nextForShell(SHELL);
        }
    }

    private static void block() {
        try {
            Kernel.blocking(() -> null);
        } catch (StackOverflowError refused) {
            throw refused;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /// The processor is taken in the middle of the operation: at its end the machine has to get another one.
    private static void blockDeclared() {
        if (Jdk.currentCarrierThread() instanceof Machine machine && machine.beginBlocking()) {
            victim = machine;
            while (victim != null) {
                // reads only: a call could end the stack
            }
            machine.endBlocking();
        }
    }

    private static void takeProcessors() {
        while (true) {
            Machine machine = victim;
            if (machine != null) {
                long word = machine.word();
                Processor processor = machine.p;
                if (processor != null && Word.state(word) == Word.SYSCALL && machine.take(word)) {
                    kernel.machines.handOff(processor);
                }
                victim = null;
            }
            LockSupport.parkNanos(10_000);
        }
    }

    // ---- before and after a dive

    private static final Annotation ANNOTATION = new Annotation(EventKind.LOG, 1, 1, 0, "text");

    /// A shell that has parked: it is given nothing more to run.
    private static final Shell SHELL = new Shell(null, null);

    private static void prepare(int count) {
        boolean isUnpark = entry == Entry.UNPARK;
        Arrays.fill(REFUSED, false);
        if (isUnpark || entry == Entry.START_THREAD) {
            Runnable task = isUnpark
                    ? () -> {
                        LockSupport.park();
                        RAN.incrementAndGet();
                    }
                    : TASK;
            for (int i = 0; i < count; i++) {
                threads[i] = factory.newThread(task);
                if (isUnpark) {
                    threads[i].start();
                }
            }
            for (int i = 0; isUnpark && i < count; i++) {
                while (threads[i].getState() != Thread.State.WAITING) {
                    LockSupport.parkNanos(10_000);
                }
            }
        }
    }

    /// J16: the stack may have ended inside the JDK, after it had set the thread's permit, or after it had
    /// noted that the thread is runnable. An unpark that did not overflow gets no help: Heddle must have kept
    /// the thread.
    private static void finishUnpark(Thread thread) {
        Runnable task = Jdk.resumeTaskOf(thread);
        boolean _ = Jdk.repairState(task, ThreadState.PARKED, ThreadState.UNPARKED);
        if (Jdk.stateOf(task) == ThreadState.UNPARKED) {
            kernel.pool().execute(task); // once too often does no harm
        }
    }

    private static void finish() {
        switch (entry) {
            case UNPARK -> {
                for (int i = 0; i < ATTEMPTS; i++) {
                    if (REFUSED[i]) {
                        finishUnpark(threads[i]);
                    }
                    LockSupport.unpark(threads[i]); // those that no attempt has reached
                }
                accepted = Math.max(accepted, 1);
            }
            case RESIZE -> kernel.setProcs(PROCS);
            case LOCK_THREAD -> {
                for (; locks > 0; locks--) {
                    kernel.unlockThread();
                }
            }
            case NEXT_FOR_SHELL -> {
                // no goroutine has run in that shell, so none was counted as ended; the first took the end of this
                // thread
                kernel.counters.externalStarts.addAndGet(accepted == 0 ? 0 : -1);
            }
            default -> {
                // nothing is left to be undone
            }
        }
    }

    // ---- health

    private static void verify(String what) throws InterruptedException {
        if (unexpected != null) {
            throw new IllegalStateException(what, unexpected);
        }
        int expected = switch (entry) {
            case GO, START_THREAD, TIMER -> accepted;
            case UNPARK -> ATTEMPTS;
            default -> -1;
        };
        boolean isWarmUp = what.equals("warming up");
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!(isQuiet() && (isWarmUp || expected < 0 || RAN.get() == expected))) {
            if (System.nanoTime() > giveUp) {
                throw new IllegalStateException(what + ": " + expected + " were expected, " + RAN + " ran; " + state());
            }
            Thread.sleep(1);
        }
        CountDownLatch done = new CountDownLatch(100);
        for (int i = 0; i < 50; i++) {
            kernel.spawn(new TestGoroutine(() -> {
                Go.gosched();
                done.countDown();
            }));
            factory.newThread(() -> {
                        LockSupport.parkNanos(1_000);
                        done.countDown();
                    })
                    .start();
        }
        if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(what + ": nothing runs any more; " + state());
        }
        if (kernel.counters.cutShort != 0 || kernel.counters.safetyNet.get() != 0 || kernel.locked.isAny()) {
            throw new IllegalStateException(what + ": " + state());
        }
    }

    /// All has ended and no processor is missing: each is on the idle list.
    private static boolean isQuiet() {
        return kernel.live() == 0
                && kernel.idle.idleProcessors() == kernel.procs()
                && kernel.spin.spinning() == 0
                && kernel.lock.held == 0;
    }

    private static String state() {
        StringBuilder out = new StringBuilder("live " + kernel.live() + ", idle " + kernel.idle.idleProcessors()
                + " of "
                + kernel.procs() + ", spinning " + kernel.spin.spinning() + ", lock " + kernel.lock.held
                + ", cut short " + kernel.counters.cutShort + ", safety net " + kernel.counters.safetyNet + ", locked "
                + kernel.locked.isAny() + ", rescued " + kernel.counters.rescues);
        for (Processor processor : kernel.processors().all()) {
            out.append(", P")
                    .append(processor.id)
                    .append(' ')
                    .append(processor.status)
                    .append(' ')
                    .append(processor.machine);
        }
        return out.toString();
    }
}
