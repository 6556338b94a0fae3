package dev.heddle.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.jdk.Carrier;
import dev.heddle.jdk.CarrierPool;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A carrier thread that can own a processor: the ownership word and every way to change it. See [Word] for the
/// table.
///
/// The thread itself is in one of two places: **in the kernel** (word KERNEL, or no processor), or in user
/// code, which is everything between [#exitKernel] and [#enterKernel]. While it is there the processor may be
/// taken away; it is then found gone at the next entry.
abstract sealed class ProcessorOwner extends Carrier permits Machine {

    private static final VarHandle WORD = Handles.field(lookup(), "word", long.class);

    /// See [Word]. Written by this thread, and by takers and granters as the table there says.
    private volatile long word;

    /// What this thread itself last stored in its word. Own thread only.
    private long ownWord;

    /// The processor owned, valid in the kernel; in user code it may have been taken. Own thread only.
    @Nullable
    Processor p;

    /// The processor that a granter gave, read after the word says so.
    private @Nullable Processor granted;

    /// The processor before this one: the first to ask for when it was lost. Own thread only.
    @Nullable
    Processor oldP;

    /// Kernel entries nest: timer callbacks and the start of a shell come back through the hooks.
    private int depth = 1;

    ProcessorOwner(CarrierPool pool, String name) {
        super(pool, name);
    }

    final long word() {
        return word;
    }

    final int depth() {
        return depth;
    }

    final Processor owned() {
        Processor processor = p;
        if (processor == null) {
            throw new SchedulerBug(getName() + " has no processor: " + Word.toString(word));
        }
        return processor;
    }

    // ---- by the thread itself

    /// Enters the kernel: from here to [#exitKernel] the processor, if there still is one, cannot be taken.
    /// On this carrier, pinned.
    final void enterKernel() {
        if (depth++ == 0 && p != null) {
            changeState(Word.withState(ownWord, Word.KERNEL));
        }
    }

    /// Leaves the kernel. The release store publishes what was written to the processor meanwhile.
    final void exitKernel() {
        if (--depth == 0 && p != null) {
            ownWord = Word.next(ownWord, Word.USER);
            WORD.setRelease(this, ownWord);
            Chaos.point();
        }
    }

    /// What [#exitKernel] would do, after a failure inside the kernel, with field accesses only: the stack may
    /// have ended.
    final void abandonKernel(int depthBefore) {
        depth = depthBefore;
        if (depthBefore == 0 && p != null && (ownWord & Word.STATE_MASK) == Word.KERNEL) {
            ownWord = (ownWord & ~Word.STATE_MASK) + Word.ONE_SEQ + Word.USER; // Word.next, without a call
            word = ownWord;
        }
    }

    /// A declared blocking operation begins: the processor may be taken sooner. False if there is none. In user
    /// code.
    final boolean enterBlocking() {
        return p != null && changeState(Word.next(ownWord, Word.SYSCALL));
    }

    /// The operation ended. False if the processor was taken meanwhile. In user code, on this carrier.
    final boolean exitBlocking() {
        return p != null && (!isBlocking() || changeState(Word.next(ownWord, Word.USER)));
    }

    final boolean isBlocking() {
        return Word.state(ownWord) == Word.SYSCALL;
    }

    /// Announces a sleep during which the processor may be taken. In the kernel.
    final void beginNap() {
        ownWord = Word.next(ownWord, Word.NAP);
        WORD.setVolatile(this, ownWord);
    }

    /// Awake: back to the kernel. False if the processor was taken.
    final boolean endNap() {
        return changeState(Word.withState(ownWord, Word.KERNEL));
    }

    /// The one CAS of the owner: from the word it stored last; if that fails a taker was faster.
    private boolean changeState(long next) {
        Chaos.point();
        if (WORD.compareAndSet(this, ownWord, next)) {
            ownWord = next;
            return true;
        }
        oldP = p;
        p = null;
        ownWord = word;
        return false;
    }

    /// Makes the processor this thread's, in the kernel. The caller took it off a list, or from another owner.
    final void acquire(Processor processor) {
        p = processor;
        processor.machine = (Machine) this;
        ownWord = Word.next(ownWord, processor.id, Word.KERNEL);
        WORD.setVolatile(this, ownWord);
    }

    /// Gives the processor up, in the kernel. Holds the scheduler lock.
    final Processor release() {
        Processor processor = owned();
        oldP = processor;
        p = null;
        processor.machine = null;
        ownWord = Word.next(ownWord, 0, Word.NONE);
        WORD.setVolatile(this, ownWord);
        return processor;
    }

    /// Without a processor, about to park: from now on one can be granted. Holds the scheduler lock.
    final void expectGrant() {
        ownWord = Word.next(word, 0, Word.NONE);
        WORD.setVolatile(this, ownWord);
    }

    /// Whether a processor was granted since [#expectGrant]; it is then acquired, unless it was taken again.
    final boolean receiveGrant() {
        long now = word;
        if (Word.state(now) == Word.NONE) {
            return false;
        }
        ownWord = now;
        if (Word.state(now) == Word.NAP) {
            p = granted;
            endNap();
        }
        granted = null;
        return true;
    }

    // ---- by others

    /// Gives a processor to this parked thread, which nobody else can give one to. Holds the scheduler lock;
    /// the caller unparks it after unlocking.
    final void grantWord(Processor processor) {
        granted = processor;
        processor.machine = (Machine) this;
        WORD.setVolatile(this, Word.next(word, processor.id, Word.NAP));
    }

    /// Takes the processor of this thread if its word is still `judged`. The caller owns the processor then.
    /// Any thread.
    final boolean take(long judged) {
        Chaos.point();
        return WORD.compareAndSet(this, judged, Word.withState(judged, Word.LOST));
    }
}
