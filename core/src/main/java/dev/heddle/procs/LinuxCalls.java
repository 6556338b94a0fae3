package dev.heddle.procs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The three system calls on threads that Java lacks: which one is this, pin it, make it yield to others.
///
/// The foreign-function interface costs more than 100 ms at its first use (J12), so load this only when one of the
/// calls is needed, and not while the JVM starts. Calls answer with null for success, or one sentence for people.
/// Any thread; on a virtual thread they concern its carrier.
public final class LinuxCalls {
    private static final int PRIO_PROCESS = 0;
    private static final int EPERM = 1;
    private static final int ESRCH = 3;
    private static final int EACCES = 13;
    private static final int EINVAL = 22;

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final MethodHandle gettid;
    private final MethodHandle setAffinity;
    private final MethodHandle setPriority;

    @SuppressWarnings("restricted") // load's allowNativeAccess is for that
    private LinuxCalls(Linker linker) {
        Linker.Option errno = Linker.Option.captureCallState("errno");
        gettid = linker.downcallHandle(symbol(linker, "gettid"), FunctionDescriptor.of(JAVA_INT));
        setAffinity = linker.downcallHandle(
                symbol(linker, "sched_setaffinity"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                errno);
        setPriority = linker.downcallHandle(
                symbol(linker, "setpriority"), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), errno);
    }

    private static MemorySegment symbol(Linker linker, String name) {
        return linker.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsupportedOperationException("this system's C library has no " + name));
    }

    /// Loads the calls.
    ///
    /// @param allowNativeAccess run first: what spares the user the JVM's warning about native access
    /// @throws UnsupportedOperationException with one sentence, if this is not Linux or its C library lacks a call
    public static LinuxCalls load(Runnable allowNativeAccess) {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            throw new UnsupportedOperationException("threads can be pinned and demoted only on Linux");
        }
        allowNativeAccess.run();
        return new LinuxCalls(Linker.nativeLinker());
    }

    /// The kernel's number of the calling thread.
    public int currentThreadId() {
        try {
            return (int) gettid.invokeExact();
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Lets a thread run on the given CPUs only.
    ///
    /// @param threadId the kernel's number of the thread, 0 for the calling one
    public @Nullable String setAffinity(int threadId, CpuSet cpus) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            MemorySegment mask = arena.allocateFrom(JAVA_LONG, cpus.toMask());
            int result = (int) setAffinity.invokeExact(state, threadId, mask.byteSize(), mask);
            return result == 0
                    ? null
                    : "thread " + threadId + " cannot be pinned to CPU " + cpus + ": " + reason(state);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Sets a thread's niceness, 19 (yields to everybody) to -20. Raising it is always permitted; lowering it again
    /// needs privilege.
    ///
    /// @param threadId the kernel's number of the thread, 0 for the calling one
    public @Nullable String setNiceness(int threadId, int niceness) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) setPriority.invokeExact(state, PRIO_PROCESS, threadId, niceness);
            return result == 0
                    ? null
                    : "thread " + threadId + " cannot be given niceness " + niceness + ": " + reason(state);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// A method handle declares Throwable; the calls themselves throw nothing, running out of memory does.
    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException exception ? exception : new IllegalStateException(thrown);
    }

    private static String reason(MemorySegment state) {
        int errno = (int) ERRNO.get(state, 0L);
        return switch (errno) {
            case EPERM, EACCES -> "not permitted";
            case ESRCH -> "there is no such thread";
            case EINVAL -> "none of these CPUs may be used by this process";
            default -> "errno " + errno;
        };
    }
}
