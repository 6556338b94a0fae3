// problem: The comparator of a native sort waits for a remote rating; a virtual thread with a native frame on its stack
//     cannot unmount, so each sort occupies a carrier thread while it waits.
// place: Ranking.compare
// place: Ranking.sort
// remedy: Read all ratings before the native call, so that the comparator only computes.

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** A wine shop that ranks its bottles for each customer, and shows labels. */
public final class Vineyard {

    public static void main(String[] args) throws Exception {
        var ranking = new Ranking();
        var ranked = new LongAdder();
        var labels = new LongAdder();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 24; i++) {
                threads.submit(() -> {
                    while (true) {
                        ranked.add(ranking.sort(ThreadLocalRandom.current().ints(14, 0, 5_000).toArray())[0]);
                        Thread.sleep(20);
                    }
                });
            }
            for (int i = 0; i < 60; i++) {
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(10); // the label comes from the file server
                        labels.increment();
                    }
                });
            }
        }
    }
}

/** Sorts wines by the qsort of the C library, as the old shop did. */
final class Ranking {

    private static final ValueLayout.OfInt WINE = ValueLayout.JAVA_INT;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS.withTargetLayout(WINE);

    private final Linker linker = Linker.nativeLinker();
    private final MethodHandle qsort;
    private final MethodHandle compare;

    Ranking() throws ReflectiveOperationException {
        qsort = linker.downcallHandle(
                linker.defaultLookup().find("qsort").orElseThrow(),
                FunctionDescriptor.ofVoid(POINTER, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        var type = MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class);
        compare = MethodHandles.lookup().findStatic(Ranking.class, "compare", type);
    }

    int[] sort(int[] wines) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment array = arena.allocateFrom(WINE, wines);
            MemorySegment comparator = linker.upcallStub(compare, FunctionDescriptor.of(WINE, POINTER, POINTER), arena);
            qsort.invokeExact(array, (long) wines.length, WINE.byteSize(), comparator);
            return array.toArray(WINE);
        } catch (Throwable e) {
            throw new IllegalStateException("the native sort failed", e);
        }
    }

    private static int compare(MemorySegment left, MemorySegment right) {
        return Integer.compare(rating(left.get(WINE, 0)), rating(right.get(WINE, 0)));
    }

    private static int rating(int wine) {
        try {
            Thread.sleep(4); // the rating service
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return wine * 7_919 % 100;
    }
}
