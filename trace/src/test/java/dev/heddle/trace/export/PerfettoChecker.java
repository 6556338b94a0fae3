package dev.heddle.trace.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Decodes a Perfetto file, and fails if it breaks a rule of the format: a track is described before its first event,
/// a name before its first use, slices of a track nest and are in order, a CPU runs the thread to which it switched,
/// and each arrow has two ends.
final class PerfettoChecker {

    /// A slice of a track, or an instant, which ends when it begins.
    record Slice(String track, String name, long begin, long end) {}

    /// What a counter showed.
    record Count(String track, long nanos, long value) {}

    /// A thread ran on a CPU.
    record Run(int cpu, int thread, long begin, long end, int left) {}

    final List<Slice> slices = new ArrayList<>();
    /// What slices say about themselves: `key=value`, and `key=value|value` for a list.
    final List<String> arguments = new ArrayList<>();

    final List<Count> counts = new ArrayList<>();
    final List<Run> runs = new ArrayList<>();
    final List<String> tracks = new ArrayList<>();
    final Map<Integer, String> threads = new HashMap<>();
    int wakings;

    private final Map<Long, String> trackNames = new HashMap<>();
    private final Map<Long, String> names = new HashMap<>();
    private final Map<Long, Integer> flows = new HashMap<>();
    private final Map<Long, Deque<Slice>> open = new HashMap<>();
    private final Map<Long, Long> lastTimes = new HashMap<>();
    private final Map<Integer, Run> onCpu = new HashMap<>();
    private long lastFtrace;
    private boolean isFirst = true;

    static PerfettoChecker check(byte[] file) {
        PerfettoChecker checker = new PerfettoChecker();
        for (Field packet : fields(ByteBuffer.wrap(file))) {
            assertThat(packet.number).as("only packets").isEqualTo(1);
            checker.packet(new Message(packet.bytes()));
        }
        checker.flows.forEach((id, ends) -> assertThat(ends).as("arrow " + id).isLessThanOrEqualTo(2));
        return checker;
    }

    // ---- protobuf

    private record Field(int number, Object value) {
        ByteBuffer bytes() {
            return ((ByteBuffer) value).duplicate().order(ByteOrder.LITTLE_ENDIAN);
        }

        long asLong() {
            return (long) value;
        }
    }

    private static final class Message {
        private final Map<Integer, List<Field>> fields = new HashMap<>();

        Message(ByteBuffer bytes) {
            fields(bytes)
                    .forEach(it -> fields.computeIfAbsent(it.number, _ -> new ArrayList<>())
                            .add(it));
        }

        boolean has(int field) {
            return fields.containsKey(field);
        }

        List<Field> all(int field) {
            return fields.getOrDefault(field, List.of());
        }

        long number(int field) {
            return has(field) ? all(field).getLast().asLong() : 0;
        }

        String text(int field) {
            return StandardCharsets.UTF_8.decode(all(field).getLast().bytes()).toString();
        }

        Message message(int field) {
            return new Message(all(field).getLast().bytes());
        }
    }

    private static List<Field> fields(ByteBuffer bytes) {
        ByteBuffer in = bytes.order(ByteOrder.LITTLE_ENDIAN);
        List<Field> fields = new ArrayList<>();
        while (in.hasRemaining()) {
            long tag = varint(in);
            Object value = switch ((int) tag & 7) {
                case 0 -> varint(in);
                case 1 -> in.getLong();
                case 2 -> {
                    int length = (int) varint(in);
                    ByteBuffer slice = in.slice(in.position(), length);
                    in.position(in.position() + length);
                    yield slice;
                }
                default -> throw new AssertionError("no such kind of field: " + tag);
            };
            fields.add(new Field((int) (tag >>> 3), value));
        }
        return fields;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    // ---- packets

    private void packet(Message packet) {
        assertThat(packet.number(10)).as("sequence").isNotZero();
        if (isFirst) {
            assertThat(packet.number(13) & 1)
                    .as("the first packet clears the state")
                    .isEqualTo(1);
            isFirst = false;
        }
        if (packet.has(12)) {
            Message name = packet.message(12).message(2);
            assertThat(name.number(1)).isNotZero();
            assertThat(names.put(name.number(1), name.text(2))).isNull();
        }
        if (packet.has(60)) {
            Message track = packet.message(60);
            String name = track.has(2) ? track.text(2) : track.message(3).text(6);
            assertThat(trackNames.put(track.number(1), name)).isNull();
            if (track.has(5)) {
                assertThat(trackNames).containsKey(track.number(5));
            }
            tracks.add(name);
        }
        if (packet.has(11)) {
            event(packet);
        }
        if (packet.has(2)) {
            for (Field thread : packet.message(2).all(2)) {
                Message one = new Message(thread.bytes());
                assertThat(threads.put((int) one.number(1), one.text(2))).isNull();
            }
        }
        for (Field bundle : packet.all(1)) {
            ftrace(new Message(bundle.bytes()));
        }
    }

    private void event(Message packet) {
        Message event = packet.message(11);
        long nanos = packet.number(8);
        long id = event.number(11);
        assertThat(trackNames).as("tracks").containsKey(id);
        String track = trackNames.get(id);
        assertThat(nanos).as("time on " + track).isGreaterThanOrEqualTo(lastTimes.getOrDefault(id, 0L));
        lastTimes.put(id, nanos);
        String name = null;
        if (event.has(10)) {
            assertThat(packet.number(13) & 2).as("needs the names").isEqualTo(2);
            assertThat(names).containsKey(event.number(10));
            name = names.get(event.number(10));
        }
        for (Field flow : event.all(47)) {
            flows.merge(flow.asLong(), 1, Integer::sum);
        }
        for (Field argument : event.all(4)) {
            Message one = new Message(argument.bytes());
            String key = one.text(10);
            if (one.has(12)) {
                List<String> values = one.all(12).stream()
                        .map(it -> new Message(it.bytes()).text(6))
                        .toList();
                arguments.add(key + "=" + String.join("|", values));
            } else {
                arguments.add(key + "=" + (one.has(6) ? one.text(6) : String.valueOf(one.number(4))));
            }
        }
        Deque<Slice> stack = open.computeIfAbsent(id, _ -> new ArrayDeque<>());
        switch ((int) event.number(9)) {
            case 1 -> stack.push(new Slice(track, name, nanos, -1));
            case 2 -> {
                assertThat(stack).as("open slices of " + track).isNotEmpty();
                Slice slice = stack.pop();
                slices.add(new Slice(track, slice.name, slice.begin, nanos));
            }
            case 3 -> slices.add(new Slice(track, name, nanos, nanos));
            case 4 -> counts.add(new Count(track, nanos, event.number(30)));
            default -> throw new AssertionError("no such type of event: " + event.number(9));
        }
    }

    private void ftrace(Message bundle) {
        int cpu = (int) bundle.number(1);
        for (Field field : bundle.all(2)) {
            Message event = new Message(field.bytes());
            long nanos = event.number(1);
            assertThat(nanos).isGreaterThanOrEqualTo(lastFtrace);
            lastFtrace = nanos;
            if (event.has(4)) {
                Message change = event.message(4);
                int from = (int) change.number(2);
                Run run = onCpu.remove(cpu);
                assertThat(run == null ? 0 : run.thread)
                        .as("what CPU " + cpu + " ran")
                        .isEqualTo(from);
                if (run != null) {
                    runs.add(new Run(cpu, from, run.begin, nanos, (int) change.number(4)));
                }
                int to = (int) change.number(6);
                if (to != 0) {
                    assertThat(threads).containsKey(to);
                    assertThat(onCpu.values()).noneMatch(it -> it.thread == to);
                    onCpu.put(cpu, new Run(cpu, to, nanos, -1, -1));
                }
            } else {
                wakings++;
                assertThat(threads).containsKey((int) event.message(20).number(2));
            }
        }
    }
}
