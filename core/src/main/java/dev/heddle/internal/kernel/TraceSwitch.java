package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.JdkThreads;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.Recording;
import dev.heddle.internal.trace.TraceBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Switches the recording of events on and off, for all kernels of the JVM. Kernels that are made meanwhile take part.
public final class TraceSwitch {

    private static final long POLL_NANOS = 500_000;

    /// What all kernels record to; null: nothing. Written under the class's monitor.
    private static volatile @Nullable Recording current;

    private TraceSwitch() {}

    /// All machines of all kernels write to `recording` from now on. Platform threads only.
    ///
    /// @throws IllegalStateException if something is recorded already
    public static synchronized void on(Recording recording) {
        if (current != null) {
            throw new IllegalStateException("events are being recorded already");
        }
        current = recording; // first: a kernel or machine that is not found below finds it
        for (Kernel kernel : kernels()) {
            begin(kernel, recording);
        }
    }

    private static void begin(Kernel kernel, Recording recording) {
        if (!kernel.name().equals(WarmUp.NAME) && kernel.tracing.schedulerIn(recording) < 0) {
            kernel.tracing.begin(recording);
            for (Machine machine : machines(kernel)) {
                kernel.tracing.join(machine);
            }
        }
    }

    /// Waits until no machine is in a section of its kernel that it entered before it was told to write. Until then,
    /// an event may be missing beside others that are written. False if that takes longer than `nanos`. Platform
    /// threads only.
    public static boolean awaitPassing(long nanos) {
        record Waited(Machine machine, long word) {}
        List<Waited> all = new ArrayList<>();
        for (Kernel kernel : kernels()) {
            for (Machine machine : machines(kernel)) {
                all.add(new Waited(machine, machine.word()));
            }
        }
        long begin = Jdk.nanoTime();
        all.removeIf(it -> it.machine.kernel.tracing.hasPassed(it.machine, it.word));
        while (!all.isEmpty()) {
            if (Jdk.nanoTime() - begin > nanos) {
                return false;
            }
            Jdk.parkSelf(POLL_NANOS);
            all.removeIf(it -> it.machine.kernel.tracing.hasPassed(it.machine, it.word));
        }
        return true;
    }

    /// No event begins to be written from now on, as soon as all threads see that.
    public static synchronized void off() {
        current = null;
        for (Kernel kernel : kernels()) {
            kernel.tracing.end();
            for (Machine machine : machines(kernel)) {
                machine.trace = null;
            }
        }
    }

    /// Whether events are recorded. Any thread.
    public static boolean isOn() {
        return current != null;
    }

    /// Adds an event of the program to the recording, if there is one. `name` is the text of the kind's name, `text` of
    /// its text field. Any thread, in user code.
    ///
    /// @param a the number before the name: a task
    /// @param b the second number before the name, if the kind has two
    public static void annotate(EventKind kind, long a, long b, String name, String text) {
        Recording recording = current;
        if (recording == null) {
            return;
        }
        long id = name.isEmpty() ? 0 : recording.names().of(name);
        boolean isSecond = kind.fields().indexOf(Field.NAME) == 1;
        Annotation annotation = new Annotation(kind, a, isSecond ? id : b, isSecond ? 0 : id, text);
        if (Jdk.currentCarrierThread() instanceof Machine machine) {
            machine.kernel.entries.annotate(annotation);
        } else {
            annotation.writeTo(recording);
        }
    }

    /// The same from inside of the kernel, on the machine that carries the thread, if it is one.
    static void annotateHere(Annotation annotation, @Nullable Machine machine) {
        Recording recording = current;
        TraceBuffer trace = machine == null ? null : machine.trace;
        if (trace != null) {
            annotation.writeTo(trace);
        } else if (recording != null) {
            annotation.writeTo(recording);
        }
    }

    /// A kernel was made, and its monitor runs.
    static void join(Kernel kernel) {
        if (current != null) {
            joinCurrent(kernel);
        }
    }

    private static synchronized void joinCurrent(Kernel kernel) {
        Recording recording = current;
        if (recording != null) {
            begin(kernel, recording);
        }
    }

    private static List<Kernel> kernels() {
        List<Kernel> kernels = new ArrayList<>();
        for (Thread thread : JdkThreads.all()) {
            if (thread instanceof SystemMonitor monitor) {
                kernels.add(monitor.kernel());
            }
        }
        return kernels;
    }

    private static List<Machine> machines(Kernel kernel) {
        List<Machine> machines = new ArrayList<>();
        for (Thread thread : JdkThreads.all()) {
            if (thread instanceof Machine machine && machine.kernel == kernel) {
                machines.add(machine);
            }
        }
        return machines;
    }

    /// The number of the kernel in the recording; -1 if it takes no part in it.
    public static int schedulerIn(Recording recording, Kernel kernel) {
        return kernel.tracing.schedulerIn(recording);
    }
}
