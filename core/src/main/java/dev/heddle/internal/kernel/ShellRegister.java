package dev.heddle.internal.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The live shells that were started with one processor: what thread dumps show.
///
/// The owner of the processor appends. A shell that ends only clears its thread, on whichever processor it ends; the
/// owner removes ended shells when the array is full. So both adding and ending cost one store. At least half of the
/// array is free after such a sweep. The register of a destroyed processor stays as it is. Other threads read racily:
/// they may miss a shell that is just being added, and see one that has just ended.
final class ShellRegister {

    private static final int FIRST_CAPACITY = 64;

    private volatile @Nullable Shell[] shells = new Shell[FIRST_CAPACITY]; // elements: owner, plain
    private int size;

    /// Adds a shell. On OutOfMemoryError nothing has changed. Owner only.
    void add(Shell shell) {
        @Nullable Shell[] array = shells;
        if (size == array.length) {
            array = sweep(array);
        }
        array[size++] = shell;
    }

    private @Nullable Shell[] sweep(@Nullable Shell[] array) {
        int live = 0;
        for (Shell shell : array) {
            if (shell != null && shell.thread() != null) {
                live++;
            }
        }
        // A new array: readers may be iterating over the old one.
        @Nullable Shell[] swept = new Shell[Math.max(FIRST_CAPACITY, Integer.highestOneBit(2 * live + 1) * 2)];
        int next = 0;
        for (Shell shell : array) {
            if (shell != null && shell.thread() != null && next < swept.length) {
                swept[next++] = shell;
            }
        }
        shells = swept;
        size = next;
        return swept;
    }

    /// Adds the threads of the live shells. Any thread.
    void collectThreads(List<Thread> into) {
        for (Shell shell : shells) {
            Thread thread = shell == null ? null : shell.thread();
            if (thread != null) {
                into.add(thread);
            }
        }
    }
}
