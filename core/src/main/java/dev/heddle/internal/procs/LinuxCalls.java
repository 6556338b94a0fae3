package dev.heddle.internal.procs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.heddle.internal.settings.Settings;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The system calls on threads that Java lacks: pin a thread to CPUs, and say how it shares them with others.
///
/// The first use of the foreign-function interface costs more than 100 ms, so load this class only when one of the
/// calls is needed, and not while the JVM starts. Each call is linked on first use. Calls return null on success, or
/// one sentence for the user. Any thread; on a virtual thread they affect its carrier.
public final class LinuxCalls {
    private static final int PRIO_PROCESS = 0;
    private static final int EPERM = 1;
    private static final int ESRCH = 3;
    private static final int EACCES = 13;
    private static final int EINVAL = 22;

    private final Linker linker;
    private @Nullable Affinity affinity;
    private @Nullable MethodHandle setPriority;
    private @Nullable Scheduling scheduling;

    private LinuxCalls(Linker linker) {
        this.linker = linker;
    }

    /// The call that pins a thread, with access to errno for the reason of a failure.
    private static final class Affinity {
        final StructLayout callState = Linker.Option.captureStateLayout();
        final VarHandle errno = callState.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        final MethodHandle call;

        @SuppressWarnings("restricted") // load's allowNativeAccess is for that
        Affinity(Linker linker) {
            call = linker.downcallHandle(
                    symbol(linker, "sched_setaffinity"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                    Linker.Option.captureCallState("errno"));
        }
    }

    /// sched_getattr and sched_setattr. Few C libraries have these functions, so they are called by system call
    /// number.
    ///
    /// ```
    /// struct sched_attr: | size:4 | policy:4 | flags:8 | nice:4 | priority:4 | runtime:8 | deadline:8 | period:8 |
    /// ```
    private static final class Scheduling {
        static final int SIZE = 48; // its first version: all kernels that have the calls take it
        static final long NICE_OFFSET = 16;
        static final long RUNTIME_OFFSET = 24;

        final long getNumber;
        final long setNumber;
        final MethodHandle call; // without errno, which doubles the cost of linking

        @SuppressWarnings("restricted") // load's allowNativeAccess is for that
        Scheduling(Linker linker) {
            boolean isAmd64 = Settings.fact("os.arch").equals("amd64");
            setNumber = isAmd64 ? 314 : 274; // 274: aarch64 and every later architecture
            getNumber = setNumber + 1;
            call = linker.downcallHandle(
                    symbol(linker, "syscall"),
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
                    Linker.Option.firstVariadicArg(1));
        }
    }

    private static MemorySegment symbol(Linker linker, String name) {
        return linker.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsupportedOperationException("this system's C library has no " + name));
    }

    /// Prepares linking the calls.
    ///
    /// @param allowNativeAccess run first, to avoid the JVM's warning about native access
    /// @throws UnsupportedOperationException with one sentence, if this is not Linux
    public static LinuxCalls load(Runnable allowNativeAccess) {
        if (!Settings.fact("os.name").equals("Linux")) {
            throw new UnsupportedOperationException("threads can be pinned and demoted only on Linux");
        }
        allowNativeAccess.run();
        return new LinuxCalls(Linker.nativeLinker());
    }

    @SuppressWarnings("restricted") // load's allowNativeAccess is for that
    private synchronized MethodHandle niceness() {
        if (setPriority == null) {
            setPriority = linker.downcallHandle(
                    symbol(linker, "setpriority"), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        }
        return setPriority;
    }

    private synchronized Scheduling scheduling() {
        if (scheduling == null) {
            scheduling = new Scheduling(linker);
        }
        return scheduling;
    }

    private synchronized Affinity affinity() {
        if (affinity == null) {
            affinity = new Affinity(linker);
        }
        return affinity;
    }

    /// Lets a thread run on the given CPUs only.
    ///
    /// @param threadId the kernel's number of the thread, 0 for the calling one
    public @Nullable String setAffinity(int threadId, CpuSet cpus) {
        Affinity linked = affinity();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(linked.callState);
            MemorySegment mask = arena.allocateFrom(JAVA_LONG, cpus.toMask());
            int result = (int) linked.call.invokeExact(state, threadId, mask.byteSize(), mask);
            return result == 0
                    ? null
                    : "thread " + threadId + " cannot be pinned to CPU " + cpus + ": "
                            + reason((int) linked.errno.get(state, 0L));
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Sets a thread's niceness, from 19 (yields to all other threads) to -20. Raising it is always permitted;
    /// lowering it again needs a privilege.
    ///
    /// @param threadId the kernel's number of the thread, 0 for the calling one
    public @Nullable String setNiceness(int threadId, int niceness) {
        MethodHandle call = niceness();
        try {
            int result = (int) call.invokeExact(PRIO_PROCESS, threadId, niceness);
            return result == 0 ? null : "thread " + threadId + " cannot be given niceness " + niceness;
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Sets the time slice of a thread, and raises its niceness to at least the given one.
    ///
    /// From Linux 6.12 on, a thread that wakes up preempts a thread with a longer slice at once. The share of
    /// the CPUs depends on the niceness alone. Older kernels ignore the slice. Setting and resetting the slice
    /// are always permitted.
    ///
    /// @param threadId the kernel's number of the thread, 0 for the calling one
    public @Nullable String setSlice(int threadId, int leastNiceness, long nanos) {
        Scheduling linked = scheduling();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(Scheduling.SIZE, Long.BYTES);
            long result = readAttributes(linked, threadId, attributes);
            if (result == 0) {
                int niceness = attributes.get(JAVA_INT, Scheduling.NICE_OFFSET);
                attributes.set(JAVA_INT, Scheduling.NICE_OFFSET, Math.max(niceness, leastNiceness));
                attributes.set(JAVA_LONG, Scheduling.RUNTIME_OFFSET, nanos);
                result = (long) linked.call.invokeExact(linked.setNumber, threadId, attributes, 0, 0);
            }
            return result == 0 ? null : "thread " + threadId + " cannot be given a slice of " + nanos + " ns";
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// The time slice of a thread in nanoseconds, as the operating system reports it: 0 before Linux 6.12, -1
    /// if the call fails.
    public long slice(int threadId) {
        Scheduling linked = scheduling();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(Scheduling.SIZE, Long.BYTES);
            long result = readAttributes(linked, threadId, attributes);
            return result == 0 ? attributes.get(JAVA_LONG, Scheduling.RUNTIME_OFFSET) : -1;
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    private static long readAttributes(Scheduling linked, int threadId, MemorySegment attributes) throws Throwable {
        return (long) linked.call.invokeExact(linked.getNumber, threadId, attributes, Scheduling.SIZE, 0);
    }

    /// Method handles declare Throwable. The calls themselves throw nothing; allocation may throw OutOfMemoryError.
    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException exception ? exception : new IllegalStateException(thrown);
    }

    private static String reason(int errno) {
        return switch (errno) {
            case EPERM, EACCES -> "not permitted";
            case ESRCH -> "there is no such thread";
            case EINVAL -> "none of these CPUs may be used by this process";
            default -> "errno " + errno;
        };
    }
}
