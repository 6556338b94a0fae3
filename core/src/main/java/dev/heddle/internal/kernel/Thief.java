package dev.heddle.internal.kernel;

import dev.heddle.internal.procs.NumaOrder;
import dev.heddle.internal.queue.StealOrder;
import org.jspecify.annotations.Nullable;

/// How a machine steals: which victims, in which order, and when it may take a runNext. Go: stealWork.
///
/// Used by its machine only, in the kernel, with a processor.
final class Thief {

    private static final int ROUNDS = 4;

    /// How long a victim must not have switched before its runNext may be stolen: Go's usleep(3).
    private static final long STOOD_STILL_NANOS = 3_000;

    private final Kernel kernel;
    private final DueTimers timers;
    private int random = Chaos.seed();

    /// The last search saw a runNext that its owner may be about to run.
    private boolean sawRunNext;

    private long switchesSeen;

    Thief(Kernel kernel, DueTimers timers) {
        this.kernel = kernel;
        this.timers = timers;
    }

    /// Makes four rounds over all processors, each in a new random order. In the last round, also runs the due
    /// timers of the victims, and returns an entry that they made runnable. Null if nothing was found, or if
    /// the world is being stopped.
    @Nullable
    Runnable steal(Processor own) {
        ProcessorSet set = kernel.processors();
        StealOrder order = set.order();
        NumaOrder numa = own.id < set.count() ? set.numa() : null;
        sawRunNext = false;
        for (int round = 1; round <= ROUNDS; round++) {
            boolean last = round == ROUNDS;
            int random = nextRandom();
            int visited = 0;
            for (long at = order.start(random); !StealOrder.isDone(at); at = order.next(at)) {
                if (kernel.isStopping()) {
                    return null;
                }
                int index = numa == null ? StealOrder.position(at) : numa.victim(own.id, random, visited++);
                Processor victim = set.all()[index];
                if (victim != own) {
                    Runnable stolen = stealFrom(victim, own, last);
                    if (stolen != null) {
                        return stolen;
                    }
                }
            }
        }
        return null;
    }

    private @Nullable Runnable stealFrom(Processor victim, Processor own, boolean last) {
        if (last && timers.run(victim) && own.hasWork()) {
            return own.runQueue.get();
        }
        if (victim.isIdle()) {
            return null;
        }
        boolean includeNext = last && victim.visibleWork() == 0 && hasNotSwitched(victim);
        Runnable stolen = own.runQueue.stealFrom(victim.runQueue, kernel.stealPolicy(), includeNext);
        if (stolen == null) {
            kernel.rounds.join(own);
            stolen = own.yielded.stealAny(victim.yielded, kernel.stealPolicy());
        }
        if (stolen != null) {
            own.countTheft(victim);
        }
        return stolen;
    }

    /// Whether the victim has a runNext and has not switched for a while: then its owner is not about to run it.
    /// Otherwise a pair of threads that passes the slice back and forth would be split between two cores (N13).
    ///
    /// The thief must not busy-wait for this. If the operating system runs the thief on the owner's CPU, the
    /// owner cannot switch because of the thief. So the first check only records the switch count, and the
    /// thief's nap lets the owner run.
    private boolean hasNotSwitched(Processor victim) {
        if (!victim.runQueue.hasNext()) {
            return false;
        }
        Machine owner = victim.machine;
        if (owner == null || Word.state(owner.word()) == Word.SYSCALL) {
            return true;
        }
        sawRunNext = true;
        long switches = victim.switches;
        long now = System.nanoTime();
        if (victim.stillAt != switches) {
            victim.stillAt = switches;
            victim.stillSince = now;
            return false;
        }
        return now - victim.stillSince >= STOOD_STILL_NANOS;
    }

    /// Whether work may appear soon: a runNext that its owner may not run, or another processor that has
    /// switched since the last call. The test is not "switches right now": the machine that has just woken this
    /// one is still inside the system call, and would seem not to switch.
    boolean mayWorkAppear(Processor own) {
        long before = switchesSeen;
        switchesSeen = sumOfSwitches(kernel.processors().all(), own);
        return sawRunNext || switchesSeen != before;
    }

    /// Whether any other processor has a machine, which may be about to make a thread runnable.
    boolean areOthersBusy(Processor own) {
        for (Processor other : kernel.processors().all()) {
            if (other != own && other.machine != null && !other.isIdle()) {
                return true;
            }
        }
        return false;
    }

    private static long sumOfSwitches(Processor[] all, Processor own) {
        long sum = 0;
        for (Processor other : all) {
            if (other != own && !other.isIdle()) {
                sum += other.switches;
            }
        }
        return sum;
    }

    /// Xorshift: cheap, and the quality of the randomness does not matter.
    private int nextRandom() {
        int x = random;
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        random = x;
        return x;
    }
}
