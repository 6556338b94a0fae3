package dev.heddle.trace.export;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes Perfetto's protobuf format: tracks with slices, instants, counters and arrows, and beside them the same runs
/// in the words of the Linux scheduler, so that Perfetto's own view of CPUs and threads works.
///
/// Times are in nanoseconds. A track is described before its first event.
final class PerfettoWriter {
    /*
     * File.        A run of `packet` fields. All belong to one sequence, which shares interned names.
     * Names.       The first packet that uses a name also defines its number. The first packet of the file says that
     *              numbers begin anew, later ones that they need what came before.
     * Arrows.      Perfetto joins slices and instants that carry the same flow, in the order of time.
     * Scheduler.   A processor is a CPU, and a goroutine a thread. The names of threads stand in the process tree, once;
     *              the events carry short ones only, because they would otherwise be most of the file.
     */

    /// Any number but 0.
    private static final int SEQUENCE = 1;

    // SequenceFlags
    private static final int STATE_CLEARED = 1;
    private static final int NEEDS_STATE = 2;

    // TrackEvent.Type
    private static final int SLICE_BEGIN = 1;
    private static final int SLICE_END = 2;
    private static final int INSTANT = 3;
    private static final int COUNTER = 4;

    /// The default priority of a Linux thread.
    private static final int PRIORITY = 120;

    /// The state in which a thread leaves its CPU, in the numbers of the Linux kernel.
    enum Left {
        RUNNABLE(0),
        SLEEPING(1),
        DEAD(16);

        private final int number;

        Left(int number) {
            this.number = number;
        }
    }

    private final OutputStream out;
    private final Map<String, Long> names = new HashMap<>();
    private boolean isFirst = true;

    PerfettoWriter(OutputStream out) {
        this.out = out;
    }

    private static Proto packet() {
        return new Proto().number(10, SEQUENCE); // trusted_packet_sequence_id
    }

    private void write(Proto packet) throws IOException {
        if (isFirst) {
            packet.number(13, STATE_CLEARED | NEEDS_STATE); // sequence_flags
            isFirst = false;
        }
        new Proto().message(1, packet).bytes().writeTo(out); // Trace.packet
    }

    // ---- tracks

    void process(long track, long pid, String name) throws IOException {
        Proto process = new Proto().number(1, pid).text(6, name);
        Proto order = new Proto().number(1, track).message(3, process).number(11, 3); // children in order of rank
        write(packet().message(60, order));
    }

    void track(long track, long parent, String name, int rank) throws IOException {
        write(packet().message(60, descriptor(track, parent, name, rank)));
    }

    void counterTrack(long track, long parent, String name, int rank) throws IOException {
        write(packet().message(60, descriptor(track, parent, name, rank).message(8, new Proto())));
    }

    private static Proto descriptor(long track, long parent, String name, int rank) {
        return new Proto()
                .number(1, track)
                .number(5, parent)
                .text(2, name)
                .number(11, 3)
                .number(12, rank);
    }

    // ---- events of tracks

    /// Something that a track shows, with its name and what it says about itself.
    final class Event {
        private final long nanos;
        private final @Nullable String name;
        private final Proto event;

        /// @param name null for the end of a slice
        private Event(int type, long nanos, long track, @Nullable String name) {
            this.nanos = nanos;
            this.name = name;
            this.event = new Proto().number(9, type).number(11, track);
        }

        /// @param flow the arrow that leads to or from this event; 0 is none
        Event flow(long flow) {
            if (flow != 0) {
                event.fixed64(47, flow);
            }
            return this;
        }

        Event argument(String key, long value) {
            event.message(4, new Proto().text(10, key).number(4, value));
            return this;
        }

        Event argument(String key, String value) {
            event.message(4, new Proto().text(10, key).text(6, value));
            return this;
        }

        /// A list of texts.
        Event argument(String key, List<String> values) {
            if (!values.isEmpty()) {
                Proto list = new Proto().text(10, key);
                values.forEach(it -> list.message(12, new Proto().text(6, it))); // array_values
                event.message(4, list);
            }
            return this;
        }

        void write() throws IOException {
            Proto packet = packet().number(8, nanos);
            if (name != null) {
                event.number(10, intern(name, packet));
                if (!isFirst) {
                    packet.number(13, NEEDS_STATE);
                }
            }
            PerfettoWriter.this.write(packet.message(11, event));
        }

        private long intern(String text, Proto packet) {
            Long known = names.get(text);
            if (known == null) {
                known = names.size() + 1L; // 0 is no valid number
                names.put(text, known);
                packet.message(
                        12, new Proto().message(2, new Proto().number(1, known).text(2, text)));
            }
            return known;
        }
    }

    /// A slice begins. Slices of a track nest.
    Event begin(long nanos, long track, String name) {
        return new Event(SLICE_BEGIN, nanos, track, name);
    }

    /// The slice of the track that began last ends.
    void end(long nanos, long track) throws IOException {
        ending(nanos, track).write();
    }

    /// The same with arguments, which Perfetto adds to those of the beginning.
    Event ending(long nanos, long track) {
        return new Event(SLICE_END, nanos, track, /* name= */ null);
    }

    Event instant(long nanos, long track, String name) {
        return new Event(INSTANT, nanos, track, name);
    }

    void counter(long nanos, long track, long value) throws IOException {
        Proto event = new Proto().number(9, COUNTER).number(11, track).number(30, value);
        write(packet().number(8, nanos).message(11, event));
    }

    // ---- the same in the words of the Linux scheduler

    void processTree(long pid, String name) throws IOException {
        Proto process = new Proto().number(1, pid).number(2, 1).text(3, name);
        write(packet().message(2, new Proto().message(1, process)));
    }

    void threadName(long pid, int thread, String name) throws IOException {
        Proto one = new Proto().number(1, thread).text(2, name).number(3, pid);
        write(packet().message(2, new Proto().message(2, one)));
    }

    /// A CPU changes from one thread to another. Thread 0 is nothing to run.
    void schedSwitch(int cpu, long nanos, int from, Left left, int to) throws IOException {
        Proto event = new Proto()
                .text(1, comm(from))
                .number(2, from)
                .number(3, PRIORITY)
                .number(4, left.number)
                .text(5, comm(to))
                .number(6, to)
                .number(7, PRIORITY);
        ftrace(cpu, nanos, from, 4, event);
    }

    /// @param waker the thread that wakes the other; 0 if it is none of the recorded ones
    void waking(int cpu, long nanos, int waker, int woken, int targetCpu) throws IOException {
        Proto event = new Proto()
                .text(1, comm(woken))
                .number(2, woken)
                .number(3, PRIORITY)
                .number(4, 1) // success
                .number(5, targetCpu);
        ftrace(cpu, nanos, waker, 20, event);
    }

    private void ftrace(int cpu, long nanos, int thread, int field, Proto event) throws IOException {
        Proto ftrace = new Proto().number(1, nanos).number(2, thread).message(field, event);
        write(packet().message(1, new Proto().number(1, cpu).message(2, ftrace)));
    }

    private static String comm(int thread) {
        return thread == 0 ? "idle" : "T" + thread;
    }
}
