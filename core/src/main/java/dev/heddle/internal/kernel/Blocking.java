package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.trace.EventKind;
import java.util.concurrent.Callable;

/// Blocking operations of the thread that is mounted on one machine.
/// Go: entersyscall, exitsyscall, entersyscallblock, exitsyscallTryGetP.
final class Blocking {
    /*
     * Declared.   The JDK declares some blocking calls (begin, end). The machine keeps its processor, with the word in
     *             state SYSCALL, and the system monitor takes the processor if the operation lasts. When it ends, the
     *             thread keeps the processor, takes another one, or yields: then it waits in the global queue.
     * At once.    Go.blocking knows that the operation will block (run): it hands the processor off before.
     * Undeclared. Native calls, file reads and pinned parks announce nothing. The monitor finds them (Retaker) and takes
     *             the processor. At its next kernel entry the machine learns that the processor is gone. It gets one
     *             after the thread has unmounted (Machines.acquireAfterLoss).
     * One M.      A declared operation begins and ends on the same machine, because the thread cannot be unmounted in
     *             between. The end is also reached at every unmount, so that an operation whose end was cut off by a
     *             stack overflow does not last for ever.
     */

    private final Machine machine;
    private final Kernel kernel;

    /// A declared operation is under way. Own thread only.
    private boolean isDeclared;

    /// The mounted thread has given its processor away because it is about to block. Until it has blocked it
    /// does not ask for another one. Set here; cleared by [EntryPoints] when the operation has ended, and by
    /// [Machine] when the thread has left. Own thread only.
    boolean isGivenAway;

    Blocking(Machine machine, Kernel kernel) {
        this.machine = machine;
        this.kernel = kernel;
    }

    /// Runs an operation that will block. Gives the processor away at once, and tries to get one back
    /// afterwards. Any thread.
    static <T> T run(Callable<T> operation) throws Exception {
        EntryPoints.giveProcessorAway();
        try {
            return operation.call();
        } finally {
            if (Jdk.currentCarrierThread() instanceof Machine machine && Thread.currentThread() != machine) {
                machine.kernel.entries.exitBlocking(machine);
            }
        }
    }

    /// Go: entersyscall. False if nothing begins: the caller is in the kernel, or inside another operation.
    boolean begin() {
        if (isDeclared || machine.depth != 0) {
            return false;
        }
        isDeclared = machine.enterBlocking();
        if (isDeclared) {
            note(EventKind.BLOCK_BEGIN);
        }
        return isDeclared;
    }

    /// Go: exitsyscall. Also called at every yield, on the carrier; the loop then replaces a lost processor.
    void end() {
        if (isDeclared) {
            note(EventKind.BLOCK_END);
            boolean isKept = machine.exitBlocking();
            isDeclared = false; // only now: after a stack overflow above, the next yield ends the operation
            if (!isKept && Thread.currentThread() != machine) {
                kernel.entries.exitBlocking(machine);
                // the thread may be on another carrier now: do not touch `this` any more
            }
        }
    }

    /// The thread cannot be unmounted here, so it is on this machine still. Without a check of the stack before: the
    /// event is left out if there is too little.
    private void note(EventKind kind) {
        if (machine.trace != null && StackReserve.isThere()) {
            machine.note(kind);
        }
    }

    /// Hands off the processor at once: the mounted thread is about to block. In the kernel.
    /// Go: entersyscallblock.
    void giveAway() {
        Processor own = machine.owned();
        machine.note(EventKind.GIVE_AWAY, own.id, 0);
        isGivenAway = true;
        kernel.machines.releaseAndHandOff(machine);
    }

    /// Gets a processor for user code that has none: takes the old one back from an owner that is blocked
    /// itself, or takes an idle one. False if there is neither. In the kernel.
    /// Go: exitsyscallTryGetP.
    boolean tryGetProcessor() {
        Processor old = machine.oldP;
        Machine owner = old == null ? null : old.machine;
        if (old != null && owner != null && takeBack(old, owner)) {
            machine.acquire(old);
            return true;
        }
        return kernel.machines.acquireIdle(machine, old);
    }

    private static boolean takeBack(Processor old, Machine owner) {
        long word = owner.word();
        return Word.state(word) == Word.SYSCALL && Word.pid(word) == old.id && owner.take(word);
    }
}
