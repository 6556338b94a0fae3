package dev.heddle.heap;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A heap dump in the JVM's own format (HPROF 1.0.2): the places of its objects, their references, and the roots
/// outside the heap.
///
/// The file is read in place. Only the places of the objects are kept in memory, at most 32 bytes each.
final class HeapDump implements AutoCloseable {

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final String MAGIC = "JAVA PROFILE 1.0.";

    // Records of the file.
    private static final int STRING = 0x01;
    private static final int CLASS_NAME = 0x02;
    private static final int HEAP = 0x0c;
    private static final int HEAP_SEGMENT = 0x1c;
    private static final int RECORD_HEADER_BYTES = 9;

    // Parts of a heap.
    private static final int ROOT_UNKNOWN = 0xff;
    private static final int ROOT_JNI_GLOBAL = 0x01;
    private static final int ROOT_JNI_LOCAL = 0x02;
    private static final int ROOT_JAVA_FRAME = 0x03;
    private static final int ROOT_NATIVE_STACK = 0x04;
    private static final int ROOT_STICKY_CLASS = 0x05;
    private static final int ROOT_THREAD_BLOCK = 0x06;
    private static final int ROOT_MONITOR_USED = 0x07;
    private static final int ROOT_THREAD_OBJECT = 0x08;
    private static final int CLASS = 0x20;
    private static final int INSTANCE = 0x21;
    private static final int OBJECT_ARRAY = 0x22;
    private static final int PRIMITIVE_ARRAY = 0x23;

    // Types of values.
    private static final int REFERENCE = 2;
    private static final int[] TYPE_BYTES = {-1, -1, /* a reference: see bytesOf */ -1, -1, 1, 2, 4, 8, 1, 2, 4, 8};

    /// A thread, and the references of its stack.
    static final class ThreadRoots {
        long id;
        final List<Long> stack = new ArrayList<>();
    }

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment file;
    private final int idBytes;
    private final Map<Long, String> strings = new HashMap<>();
    private final Map<Long, String> classNames = new HashMap<>();
    private final Map<Long, ClassShape> classes = new HashMap<>();
    private final LongTable objects = new LongTable();
    private final List<Long> roots = new ArrayList<>();
    private final Map<Integer, ThreadRoots> threads = new HashMap<>();

    /// @throws IOException with one sentence, if it is not a heap dump
    HeapDump(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
        boolean isRead = false;
        try {
            if (file.byteSize() < 32 || !text(0, MAGIC.length()).equals(MAGIC)) {
                throw new IOException(path + " is not a heap dump.");
            }
            long at = MAGIC.length() + 2;
            idBytes = file.get(INT, at);
            index(at + 12);
            isRead = true;
        } catch (IndexOutOfBoundsException e) {
            throw new IOException(path + " is not a complete heap dump.", e);
        } finally {
            if (!isRead) {
                arena.close();
            }
        }
    }

    // ---- queries

    /// The references from outside the heap, except those of the threads' stacks.
    List<Long> roots() {
        return roots;
    }

    Iterable<ThreadRoots> threads() {
        return threads.values();
    }

    /// Marks an object and returns its place; -1 if it is already marked or does not exist.
    long mark(long id) {
        return objects.mark(id);
    }

    boolean isMarked(long id) {
        return objects.isMarked(id);
    }

    /// The class of the instance with this id; null if the id belongs to an array, a class or no object.
    @Nullable
    ClassShape classOf(long id) {
        long place = objects.get(id);
        return place < 0 ? null : classAt(place);
    }

    /// The class of the instance at a place; null if it is no instance.
    @Nullable
    ClassShape classAt(long place) {
        return tagAt(place) == INSTANCE ? classes.get(id(place + 1 + idBytes + 4)) : null;
    }

    /// The class whose class object is at a place; null if the object there is no class object.
    @Nullable
    ClassShape classObjectAt(long place) {
        return tagAt(place) == CLASS ? classes.get(id(place + 1)) : null;
    }

    /// A field of an instance that holds a reference.
    long reference(long id, ClassShape shape, String field) {
        return id(fieldAt(id, shape, field));
    }

    int intField(long id, ClassShape shape, String field) {
        return file.get(INT, fieldAt(id, shape, field));
    }

    long longField(long id, ClassShape shape, String field) {
        return file.get(LONG, fieldAt(id, shape, field));
    }

    /// Calls `sink` with each reference of the object at this place.
    void references(long place, LongConsumer sink) {
        switch (tagAt(place)) {
            case INSTANCE -> {
                long shapeId = id(place + 1 + idBytes + 4);
                sink.accept(shapeId);
                ClassShape shape = classes.get(shapeId);
                if (shape != null) {
                    for (int offset : shape.referenceOffsets()) {
                        sink.accept(id(fieldsOf(place) + offset));
                    }
                }
            }
            case OBJECT_ARRAY -> {
                int length = file.get(INT, place + 1 + idBytes + 4);
                long first = place + 1 + idBytes + 8 + idBytes;
                for (int i = 0; i < length; i++) {
                    sink.accept(id(first + (long) i * idBytes));
                }
            }
            case CLASS -> {
                ClassShape shape = classes.get(id(place + 1));
                if (shape != null) {
                    shape.references.forEach(sink::accept);
                }
            }
            default -> {
                // a primitive array has no references
            }
        }
    }

    @Override
    public void close() {
        arena.close();
    }

    // ---- places

    private int tagAt(long place) {
        return file.get(ValueLayout.JAVA_BYTE, place) & 0xff;
    }

    private long id(long at) {
        return idBytes == 8 ? file.get(LONG, at) : file.get(INT, at) & 0xffff_ffffL;
    }

    private long fieldsOf(long place) {
        return place + 1 + idBytes + 4 + idBytes + 4;
    }

    private long fieldAt(long id, ClassShape shape, String field) {
        int offset = shape.offsetOf(field);
        if (offset < 0) {
            throw new IllegalArgumentException(shape.name + " has no field " + field);
        }
        return fieldsOf(objects.get(id)) + offset;
    }

    private int bytesOf(int type) {
        return type == REFERENCE ? idBytes : TYPE_BYTES[type];
    }

    // ---- the index

    private void index(long start) {
        List<long[]> heaps = new ArrayList<>();
        for (long at = start; at < file.byteSize(); ) {
            int tag = tagAt(at);
            long length = file.get(INT, at + 5) & 0xffff_ffffL;
            long body = at + RECORD_HEADER_BYTES;
            switch (tag) {
                case STRING -> strings.put(id(body), text(body + idBytes, (int) length - idBytes));
                case CLASS_NAME -> classNames.put(id(body + 4), strings.getOrDefault(id(body + 4 + idBytes + 4), "?"));
                case HEAP, HEAP_SEGMENT -> heaps.add(new long[] {body, body + length});
                default -> {
                    // other records, such as stack traces, are not needed
                }
            }
            at = body + length;
        }
        List<Long> classPlaces = new ArrayList<>();
        for (long[] heap : heaps) {
            indexHeap(heap[0], heap[1], classPlaces);
        }
        classPlaces.forEach(it -> shapeOf(id(it + 1)));
    }

    private String text(long at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(file, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void indexHeap(long start, long end, List<Long> classPlaces) {
        for (long at = start; at < end; ) {
            long body = at + 1;
            int tag = tagAt(at);
            at = switch (tag) {
                case ROOT_UNKNOWN, ROOT_STICKY_CLASS, ROOT_MONITOR_USED -> root(body, idBytes);
                case ROOT_JNI_GLOBAL -> root(body, 2 * idBytes);
                case ROOT_JNI_LOCAL, ROOT_JAVA_FRAME -> stackRoot(body, idBytes + 8);
                case ROOT_NATIVE_STACK, ROOT_THREAD_BLOCK -> stackRoot(body, idBytes + 4);
                case ROOT_THREAD_OBJECT -> {
                    thread(file.get(INT, body + idBytes)).id = id(body);
                    yield body + idBytes + 8;
                }
                case CLASS -> {
                    objects.put(id(body), at);
                    classPlaces.add(at);
                    yield endOfClass(body);
                }
                case INSTANCE -> {
                    objects.put(id(body), at);
                    yield fieldsOf(at) + (file.get(INT, fieldsOf(at) - 4) & 0xffff_ffffL);
                }
                case OBJECT_ARRAY -> {
                    objects.put(id(body), at);
                    yield body + idBytes + 8 + idBytes + (long) file.get(INT, body + idBytes + 4) * idBytes;
                }
                case PRIMITIVE_ARRAY -> {
                    objects.put(id(body), at);
                    int type = tagAt(body + idBytes + 8);
                    yield body + idBytes + 9 + (long) file.get(INT, body + idBytes + 4) * bytesOf(type);
                }
                default -> throw new IndexOutOfBoundsException("unknown part " + tag);
            };
        }
    }

    private long root(long body, int length) {
        roots.add(id(body));
        return body + length;
    }

    private long stackRoot(long body, int length) {
        thread(file.get(INT, body + idBytes)).stack.add(id(body));
        return body + length;
    }

    private ThreadRoots thread(int number) {
        return threads.computeIfAbsent(number, _ -> new ThreadRoots());
    }

    // ---- classes: id, trace (4), superclass, loader, signers, domain, two of no use, size (4), constants, statics,
    // fields

    private long staticsOf(long body) {
        long at = body + 4 + 7L * idBytes + 4;
        int constants = file.get(SHORT, at) & 0xffff;
        at += 2;
        for (int i = 0; i < constants; i++) {
            at += 3 + bytesOf(tagAt(at + 2));
        }
        return at;
    }

    private long fieldsOfClass(long statics) {
        long at = statics + 2;
        for (int i = file.get(SHORT, statics) & 0xffff; i > 0; i--) {
            at += idBytes + 1 + bytesOf(tagAt(at + idBytes));
        }
        return at;
    }

    private long endOfClass(long body) {
        long fields = fieldsOfClass(staticsOf(body));
        return fields + 2 + (long) (file.get(SHORT, fields) & 0xffff) * (idBytes + 1);
    }

    private @Nullable ClassShape shapeOf(long id) {
        ClassShape known = classes.get(id);
        long place = objects.get(id);
        if (known != null || place < 0) {
            return known;
        }
        long body = place + 1;
        long superclass = id(body + idBytes + 4);
        List<Long> references = new ArrayList<>();
        for (int i = 0; i < 4; i++) { // superclass, loader, signers, domain
            references.add(id(body + idBytes + 4 + (long) i * idBytes));
        }
        long statics = staticsOf(body);
        long at = statics + 2;
        for (int i = file.get(SHORT, statics) & 0xffff; i > 0; i--) {
            int type = tagAt(at + idBytes);
            if (type == REFERENCE) {
                references.add(id(at + idBytes + 1));
            }
            at += idBytes + 1 + bytesOf(type);
        }
        ClassShape shape = new ClassShape(classNames.getOrDefault(id, "?"), shapeOf(superclass), references);
        long fields = fieldsOfClass(statics);
        at = fields + 2;
        for (int i = file.get(SHORT, fields) & 0xffff; i > 0; i--) {
            int type = tagAt(at + idBytes);
            shape.addField(strings.getOrDefault(id(at), "?"), bytesOf(type), type == REFERENCE);
            at += idBytes + 1;
        }
        classes.put(id, shape);
        return shape;
    }
}
