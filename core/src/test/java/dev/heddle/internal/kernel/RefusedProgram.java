package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Field;
import dev.heddle.internal.trace.TraceEvent;
import java.util.Arrays;
import java.util.List;

/// Makes threads runnable on a full heap until one of them finds no place in a queue, and prints what a recording says
/// of that one.
final class RefusedProgram {

    private static final int MANY = 4 * LocalRunQueue.CAPACITY;

    /// Enough for a spill, so that whatever is needed at first has been had.
    private static final int WARM_UP = LocalRunQueue.CAPACITY + 2;

    private static final Runnable NONE = () -> {};
    private static Runnable refused = NONE;

    private RefusedProgram() {}

    public static void main(String[] arguments) {
        Kernel kernel = DrivenMachine.kernel(1);
        DrivenMachine driven = new DrivenMachine(kernel);
        Runnable[] tasks = new Runnable[MANY];
        for (int i = 0; i < MANY; i++) {
            tasks[i] = Jdk.resumeTaskOf(Jdk.newBareVirtualThread(kernel.pool(), () -> {}));
        }
        TestRecording recording = new TestRecording();
        recording.add(driven.machine);
        recording.withoutDraining(() -> refuse(driven.machine, tasks));
        long thread = Jdk.threadOf(refused).threadId();
        List<TraceEvent> events = recording.stop().events();
        List<EventKind> told = events.stream()
                .filter(it -> it.kind().fields().contains(Field.THREAD) && it.get(Field.THREAD) == thread)
                .map(TraceEvent::kind)
                .filter(it -> it != EventKind.CHUNK)
                .toList();
        System.out.println(told);
        Runtime.getRuntime().halt(0); // the queued threads never run
    }

    /// Fills the heap, and queues tasks until one is refused.
    private static void refuse(Machine machine, Runnable[] tasks) {
        for (int i = 0; i < WARM_UP; i++) {
            boolean _ = machine.kernel.submitter.ready(machine, tasks[i]);
        }
        Object[] eaten = new Object[1 << 16];
        int count = 0;
        for (int size = 1 << 20; size > 0 && count < eaten.length; ) {
            try {
                eaten[count] = new byte[size];
                count++;
            } catch (OutOfMemoryError _) {
                size /= 2;
            }
        }
        for (int i = WARM_UP; refused == NONE; i++) {
            try {
                boolean _ = machine.kernel.submitter.ready(machine, tasks[i]);
            } catch (OutOfMemoryError _) {
                refused = tasks[i];
            }
        }
        Arrays.fill(eaten, null);
    }
}
