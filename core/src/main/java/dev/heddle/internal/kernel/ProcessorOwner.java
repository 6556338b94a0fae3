package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.jdk.Carrier;
import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.TraceBuffer;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A carrier thread that can own a processor: the ownership word and every way to change it. See [Word] for the
/// table.
///
/// The thread itself is in one of two places: **in the kernel** (word KERNEL, or no processor), or in user code, which
/// is everything between [#exitKernel] and [#enterKernel]. While the thread is in user code, its processor may be
/// taken; it notices at its next kernel entry.
///
/// Here and in [EntryPoints], a change makes all its calls before its first store. A stack overflow can only happen
/// at a call, so each change happens as a whole or not at all.
abstract sealed class ProcessorOwner extends Carrier permits Machine {

    private static final VarHandle WORD = Handles.field(lookup(), "word", long.class);

    /// See [Word]. Written by this thread, and by takers and granters as the table there says. [EntryPoints] restores
    /// this field, [#ownWord] and [#depth] by stores after a failure, on this thread.
    volatile long word;

    /// What this thread itself last stored in its word. Own thread only.
    long ownWord;

    /// The owned processor. Valid in the kernel; in user code it may have been taken. Own thread only.
    @Nullable
    Processor p;

    /// The processor that a granter gave. Read only after the word shows the grant.
    private @Nullable Processor granted;

    /// The processor that this thread last gave up or lost: the first one that it tries to get back. Own thread
    /// only.
    @Nullable
    Processor oldP;

    /// How deep kernel entries are nested: timer callbacks and the start of a shell re-enter through the hooks. Own
    /// thread only.
    int depth = 1;

    /// Where this thread writes its events; null while nothing is recorded. Set by [Tracing] on any thread; every hook
    /// reads it once.
    @Nullable
    TraceBuffer trace;

    ProcessorOwner(CarrierPool pool, String name) {
        super(pool, name);
    }

    final long word() {
        return word;
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
            Chaos.point();
            long next = Word.next(ownWord, Word.USER);
            WORD.setRelease(this, next); // before ownWord: on a stack overflow in this call both still say KERNEL
            ownWord = next;
        }
    }

    /// A declared blocking operation begins: the processor may be taken sooner. False if the thread has none.
    /// In user code.
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
    final void enterNap() {
        store(Word.next(ownWord, Word.NAP));
    }

    /// Awake: back to the kernel. False if the processor was taken.
    final boolean exitNap() {
        return changeState(Word.withState(ownWord, Word.KERNEL));
    }

    /// The owner's only CAS: from the word that it stored last. If it fails, a taker was faster.
    private boolean changeState(long next) {
        Chaos.point();
        if (WORD.compareAndSet(this, ownWord, next)) {
            ownWord = next;
            return true;
        }
        TraceBuffer events = trace;
        Processor lost = p;
        if (events != null && lost != null) {
            events.processorLost(lost.id);
        }
        oldP = lost;
        p = null;
        ownWord = word;
        return false;
    }

    private void store(long next) {
        ownWord = next;
        word = next;
    }

    /// Makes this thread the owner, in the kernel. The caller has taken the processor off a list or from another
    /// owner.
    final void acquire(Processor processor) {
        TraceBuffer events = trace;
        if (events != null) {
            events.processorStarts(processor.id);
        }
        long next = Word.next(ownWord, processor.id, Word.KERNEL);
        p = processor;
        processor.machine = (Machine) this;
        ownWord = next;
        word = next;
    }

    /// Gives the processor up, in the kernel. Holds the scheduler lock.
    final Processor releaseLocked() {
        Processor processor = owned();
        TraceBuffer events = trace;
        if (events != null) {
            events.processorStops(processor.id);
        }
        long next = Word.next(ownWord, 0, Word.NONE);
        oldP = processor;
        p = null;
        processor.machine = null;
        ownWord = next;
        word = next;
        return processor;
    }

    /// Without a processor, about to park: from now on one can be granted. Holds the scheduler lock.
    final void expectGrantLocked() {
        store(Word.next(word, 0, Word.NONE));
    }

    /// Whether a processor was granted since [#expectGrantLocked]; it is then acquired, unless it was taken again.
    final boolean receiveGrant() {
        long now = word;
        if (Word.state(now) == Word.NONE) {
            return false;
        }
        ownWord = now;
        if (Word.state(now) == Word.NAP) {
            p = granted;
            TraceBuffer events = trace;
            if (exitNap() && events != null) {
                events.processorStarts(owned().id);
            }
        }
        granted = null;
        return true;
    }

    // ---- by others

    /// Gives a processor to this parked thread; no other granter can do so at the same time. Holds the
    /// scheduler lock; the caller unparks the thread after unlocking.
    final void grantLocked(Processor processor) {
        long next = Word.next(word, processor.id, Word.NAP);
        granted = processor;
        processor.machine = (Machine) this;
        word = next;
    }

    /// Takes the processor of this thread if its word is still `judged`. The caller owns the processor then.
    /// Any thread.
    final boolean take(long judged) {
        Chaos.point();
        if (!WORD.compareAndSet(this, judged, Word.withState(judged, Word.LOST))) {
            return false;
        }
        Machine self = (Machine) this;
        self.kernel.tracing.note(EventKind.P_TAKEN, Word.pid(judged), self.id);
        return true;
    }
}
