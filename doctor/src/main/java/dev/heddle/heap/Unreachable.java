package dev.heddle.heap;

import dev.heddle.internal.jdk.ThreadState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds the virtual threads in a heap dump that wait for something unreachable. Nothing can ever wake them.
///
/// The algorithm is that of Go's leak profile. It marks everything that is reachable from the roots outside the heap
/// and from the threads that do not wait. The stack of a waiting thread is not followed until the thread itself is
/// reached, through the channel, lock or timer at which it is queued. A waiting thread that is not reached in the end
/// has leaked. Registers that list all threads for dumps cannot wake a thread, so their references are not followed.
public final class Unreachable {

    private static final String VIRTUAL_THREAD = "java/lang/VirtualThread";

    /// States of a parked virtual thread. A thread with a deadline is reached through its timer.
    private static final Set<Integer> PARKED = Set.of(ThreadState.PARKED, ThreadState.TIMED_PARKED);

    /// Classes whose instances refer to threads only to list them.
    private static final Set<String> REGISTERS =
            Set.of("dev/heddle/internal/kernel/ShellRegister", "dev/heddle/internal/observe/DumpSeries");

    /// Classes whose static fields refer to threads only to list them.
    private static final Set<String> ROOT_CONTAINER =
            Set.of("jdk/internal/vm/ThreadContainers$RootContainer$TrackingRootContainer");

    private final HeapDump dump;
    private final Map<Long, HeapDump.ThreadRoots> waiting = new HashMap<>();

    // Reached, but not yet followed: objects by their place, and waiting threads.
    private final ArrayDeque<Long> places = new ArrayDeque<>();
    private final ArrayDeque<HeapDump.ThreadRoots> reachedThreads = new ArrayDeque<>();

    private Unreachable(HeapDump dump) {
        this.dump = dump;
    }

    /// The ids of the unreachable threads in a heap dump.
    ///
    /// @throws IOException with one sentence, if the file is not a heap dump or cannot be read
    public static Set<Long> threadsIn(Path heapDump) throws IOException {
        try (HeapDump dump = new HeapDump(heapDump)) {
            return new Unreachable(dump).find();
        }
    }

    private Set<Long> find() {
        for (HeapDump.ThreadRoots thread : dump.threads()) {
            if (isParked(thread.id)) {
                waiting.put(thread.id, thread);
            }
        }
        dump.roots().forEach(this::reach);
        for (HeapDump.ThreadRoots thread : dump.threads()) {
            if (!waiting.containsKey(thread.id)) {
                reach(thread.id);
                thread.stack.forEach(this::reach);
            }
        }
        followAll();
        Set<Long> unreachable = new TreeSet<>();
        for (long id : waiting.keySet()) {
            ClassShape shape = dump.classOf(id);
            if (shape != null && !dump.isMarked(id)) {
                unreachable.add(dump.longField(id, shape, "tid"));
            }
        }
        return unreachable;
    }

    private boolean isParked(long id) {
        ClassShape shape = dump.classOf(id);
        return shape != null
                && shape.isKindOf(VIRTUAL_THREAD)
                && PARKED.contains(dump.intField(id, shape, "state") & ~ThreadState.SUSPENDED)
                && dump.reference(id, shape, "carrierThread") == 0;
    }

    private void reach(long id) {
        long place = dump.mark(id);
        if (place >= 0) {
            places.push(place);
            HeapDump.ThreadRoots thread = waiting.get(id);
            if (thread != null) {
                reachedThreads.push(thread);
            }
        }
    }

    private void followAll() {
        while (!places.isEmpty() || !reachedThreads.isEmpty()) {
            HeapDump.ThreadRoots thread = reachedThreads.poll();
            if (thread != null) {
                thread.stack.forEach(this::reach);
            }
            Long place = places.poll();
            if (place != null && !isRegister(place)) {
                dump.references(place, this::reach);
            }
        }
    }

    private boolean isRegister(long place) {
        return isOneOf(REGISTERS, dump.classAt(place)) || isOneOf(ROOT_CONTAINER, dump.classObjectAt(place));
    }

    private static boolean isOneOf(Set<String> names, @Nullable ClassShape shape) {
        return shape != null && names.contains(shape.name);
    }
}
