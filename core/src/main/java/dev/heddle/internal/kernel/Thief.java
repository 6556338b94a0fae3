package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.procs.NumaOrder;
import dev.heddle.internal.queue.StealOrder;
import org.jspecify.annotations.Nullable;

/// How a machine steals: which victims, in which order, and when it may take a runNext. Go: stealWork.
///
/// Used by its machine only, in the kernel, with a processor.
final class Thief {
    /*
     * Victims.    Four rounds over all processors, as in Go, each in another random order, so that thieves spread. With
     *             several NUMA nodes the near processors come first in each round (NumaOrder).
     * Loot.       Half of the victim's queue, or what the scheduler's StealRule says. One entry runs, the others go to
     *             the thief's queue. If the queue is empty, threads that yielded there, which the thief counts to its
     *             own round (Rounds).
     *             Only in the last round: the victim's due timers, because reading them costs a cache line of the
     *             victim; and its runNext.
     * runNext.    Its owner is usually about to run it. A thief that takes it splits two threads that pass the slice
     *             back and forth, and each hand-over then costs a wake-up on another core. Go lets the owner run for
     *             3 us first (usleep in runqgrab). Here the thief notes the victim's switch count and takes the entry
     *             only if the count is the same 3 us later. The nap between two searches is the pause.
     * Expecting.  What the thief saw also tells whether a nap is worth while (mayWorkAppear): a runNext that was left
     *             alone, or other processors that switch, may soon leave work for this one.
     * Racy.       All reads of the victim are racy, but for the CAS on its queue's head, which commits a theft.
     *             Processor.stillAt and stillSince are hints that thieves share: a mixed-up pair delays a theft by one
     *             search or allows it 3 us early.
     * Rejected.   Waiting in a loop for the victim to switch: see hasNotSwitched.
     * Sources.    Go 1.27 proc.go stealWork, runqsteal, runqgrab. Checked by ThiefTest.
     */

    private static final int ROUNDS = 4;

    /// How long a victim must not have switched before its runNext may be stolen: Go's usleep(3).
    private static final long STOOD_STILL_NANOS = 3_000;

    private final Kernel kernel;
    private final Machine machine;
    private final DueTimers timers;
    private int random = Chaos.seed();

    /// The last search saw a runNext that its owner may be about to run.
    private boolean sawRunNext;

    private long switchesSeen;

    Thief(Machine machine, Kernel kernel, DueTimers timers) {
        this.machine = machine;
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
        boolean fromYielded = stolen == null;
        if (stolen == null) {
            kernel.rounds.join(own);
            stolen = own.yielded.stealAny(victim.yielded, kernel.stealPolicy());
        }
        if (stolen != null) {
            machine.noteTheft(victim, 1 + (fromYielded ? own.yielded.size() : own.runQueue.size()), fromYielded);
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
        long now = Jdk.nanoTime();
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
