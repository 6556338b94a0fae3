package dev.heddle.internal.kernel;

import static java.lang.invoke.MethodHandles.lookup;

import dev.heddle.internal.event.Goexit;
import dev.heddle.internal.jdk.Jdk;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The task of a virtual thread that runs fresh goroutines one after the other, without unmounting in between.
///
/// Go reuses dead Gs in the same way (gfget, gfput). A shell continues only as long as the next runnable entry of
/// its P, in the ordinary order, is another fresh goroutine, and only if its own goroutines never parked. Other
/// threads may hold a reference to a thread that parked; if they interrupt or join it, they must not hit an unrelated
/// goroutine. Between two goroutines all thread-local state is wiped.
final class Shell implements Runnable {

    // Release stores: external readers may see a slightly stale value. A full fence would cost more than a short body.
    private static final VarHandle CURRENT = Handles.field(lookup(), "current", Goroutine.class);
    private static final VarHandle THREAD = Handles.field(lookup(), "thread", Thread.class);

    private final Kernel kernel;
    private @Nullable Goroutine next;
    private volatile @Nullable Goroutine current; // written through CURRENT

    /// The thread of this shell, from before it starts until it ends. Written through THREAD.
    private volatile @Nullable Thread thread;

    /// Where this shell was first mounted: the machine, and its mount count. A change means that it has parked.
    private @Nullable Machine machine;

    private long mountedAt;

    /// Whether a goroutine has run since the last step between two goroutines. Own thread only.
    private boolean hasRunOne;

    Shell(Kernel kernel, Goroutine first) {
        this.kernel = kernel;
        this.next = first;
    }

    /// The goroutine that runs in this shell now; null between two.
    @Nullable
    Goroutine current() {
        return current;
    }

    @Nullable
    Thread thread() {
        return thread;
    }

    /// The thread that will run this shell; null when it has ended, or could not be started.
    void setThread(@Nullable Thread thread) {
        THREAD.setRelease(this, thread);
    }

    @Override
    public void run() {
        Thread self = Thread.currentThread();
        Goroutine goroutine = next;
        next = null;
        while (goroutine != null) {
            hasRunOne = goroutine.begin(self); // false if the goroutine was queued twice and has run elsewhere
            if (hasRunOne) {
                CURRENT.setRelease(this, goroutine);
                runGuarded(goroutine, self);
                CURRENT.setRelease(this, (Goroutine) null);
            }
            wipe(self);
            goroutine = kernel.entries.nextForShell(this);
        }
    }

    private void runGuarded(Goroutine goroutine, Thread self) {
        try {
            goroutine.runBody();
        } catch (Goexit _) {
            // Go.goexit(): the goroutine ends here, after its finally blocks have run
        } catch (Throwable failure) {
            kernel.failures.goroutineFailed(self, failure);
        }
    }

    private void wipe(Thread self) {
        try {
            Jdk.wipe(self);
        } catch (Throwable failure) { // for example, a scope of the goroutine failed to close
            kernel.failures.goroutineFailed(self, failure);
        }
    }

    /// Whether a goroutine has run in this shell, and so has ended, since the last step. In the kernel.
    boolean hasRunOne() {
        return hasRunOne;
    }

    /// Records the mount of `machine` in which this shell starts. In the kernel.
    void mountedOn(Machine machine, long mount) {
        this.machine = machine;
        this.mountedAt = mount;
    }

    /// Whether the goroutine that just ended was unmounted at any time. In the kernel.
    boolean hasParked(Machine now) {
        return machine != now || mountedAt != now.mounts();
    }
}
