package dev.heddle.internal.trace;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The stacks that events refer to by numbers: each is kept once, however many goroutines park there.
///
/// A stack is put into the first free slot from its hash on, by CAS, and the slot is its number: no lock is taken, so a
/// machine never waits for another one. The table is bounded; a stack that finds no place has no number.
public final class StackTable {

    /// A power of two. A guess: a large server parks in some hundred places, by a few paths each.
    private static final int STACKS = 16_384;

    private static final int PROBES = 64;

    /// A longer frame is cut off: names of generated classes can have thousands of characters.
    private static final int MOST_CHARACTERS = 512;

    /// Frames of Heddle's loop below the body of a goroutine, which are the same in all of them.
    private static final String SHELL = "dev.heddle.internal.kernel.Shell";

    private record Stack(int hash, StackTraceElement[] frames) {
        boolean is(int otherHash, StackTraceElement[] others) {
            return hash == otherHash && Arrays.equals(frames, others);
        }
    }

    private final AtomicReferenceArray<@Nullable Stack> stacks = new AtomicReferenceArray<>(STACKS);

    /// The number of a stack, the innermost frame first; 0: it is empty, or the table is full around its place. Any
    /// thread.
    public int of(StackTraceElement[] frames) {
        if (frames.length == 0) {
            return 0;
        }
        int hash = Arrays.hashCode(frames);
        Stack wanted = null;
        int slot = spread(hash) & (STACKS - 1);
        for (int i = 0; i < PROBES; i++) {
            Stack found = stacks.getAcquire(slot);
            if (found == null) {
                if (wanted == null) {
                    wanted = new Stack(hash, frames);
                }
                if (stacks.compareAndSet(slot, null, wanted)) {
                    return slot + 1;
                }
                found = stacks.getAcquire(slot);
            }
            if (found != null && found.is(hash, frames)) {
                return slot + 1;
            }
            slot = (slot + 1) & (STACKS - 1);
        }
        return 0;
    }

    private static int spread(int hash) {
        return hash ^ hash >>> 16;
    }

    /// What a file has got already. Drainer only.
    static final class Written {
        private final BitSet numbers = new BitSet();
    }

    /// Stacks that are not in `written` yet, as the content of a STACKS block; null if there are none. One block may
    /// not hold all: the caller asks until there are none. Drainer only.
    byte @Nullable [] news(Written written) {
        Bytes out = new Bytes();
        boolean isAny = false;
        for (int slot = 0; slot < STACKS && out.size() < TraceFile.MAX_BLOCK / 2; slot++) {
            Stack stack = stacks.getAcquire(slot);
            if (stack != null && !written.numbers.get(slot + 1)) {
                written.numbers.set(slot + 1);
                add(out, slot + 1, stack.frames);
                isAny = true;
            }
        }
        return isAny ? out.toArray() : null;
    }

    private static void add(Bytes out, int number, StackTraceElement[] frames) {
        int count = 0;
        while (count < frames.length && !frames[count].getClassName().equals(SHELL)) {
            count++;
        }
        out.unsigned(number).unsigned(count);
        for (int i = 0; i < count; i++) {
            out.text(textOf(frames[i]));
        }
    }

    /// Without the names of module and loader, which tell nothing here: `app.Main.run(Main.java:7)`.
    static String textOf(StackTraceElement frame) {
        String file = frame.getFileName();
        String text = frame.getClassName() + "." + frame.getMethodName() + "("
                + (frame.isNativeMethod()
                        ? "Native Method"
                        : file == null
                                ? "Unknown Source"
                                : frame.getLineNumber() < 0 ? file : file + ":" + frame.getLineNumber())
                + ")";
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS);
    }
}
