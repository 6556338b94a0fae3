// problem: Sixty scanners are read with the C library's read through a native downcall, each in a virtual thread. A
//     read waits up to a second and a half for the next code and holds its carrier all the time. The other virtual
//     threads wait for a carrier, or the scheduler needs an OS thread for each scanner.
// place: Scanner.next
// place: Desk.scan
// remedy: Read the scanners in platform threads and hand the codes over by a queue.
// named: a native call blocks carriers (virtual threads that hold their carrier while they wait in native code) at the
//     place
// half: late carriers, starved or slow virtual threads, without the native call; or pinned threads without the place
// false: CPU-bound work, a lock, a pool, a deadlock
// shows: late is more than 300 ms, or OS threads are some 100 instead of some 30
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

public class Cashdesk {

    static final class CLibrary {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final FunctionDescriptor IO = FunctionDescriptor.of(
                ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
        static final MethodHandle PIPE = LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("pipe"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        static final MethodHandle READ =
                LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("read"), IO);
        static final MethodHandle WRITE =
                LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("write"), IO);
    }

    /// A scanner that writes a code of eight bytes for each thing that is drawn over it.
    static final class Scanner {
        private final MemorySegment buffer = Arena.global().allocate(64);
        private final MemorySegment ware = Arena.global().allocate(64);
        private final int out;
        private final int in;

        Scanner() throws Throwable {
            MemorySegment ends = Arena.global().allocate(ValueLayout.JAVA_INT, 2);
            if ((int) CLibrary.PIPE.invokeExact(ends) != 0) {
                throw new IllegalStateException("no pipe");
            }
            out = ends.getAtIndex(ValueLayout.JAVA_INT, 0);
            in = ends.getAtIndex(ValueLayout.JAVA_INT, 1);
        }

        long next() throws Throwable {
            long read = (long) CLibrary.READ.invokeExact(out, buffer, 8L);
            return read == 8 ? buffer.get(ValueLayout.JAVA_LONG, 0) : -1;
        }

        /// The device.
        void draw(long code) throws Throwable {
            ware.set(ValueLayout.JAVA_LONG, 0, code);
            long written = (long) CLibrary.WRITE.invokeExact(in, ware, 8L);
        }
    }

    record Desk(Scanner scanner, LongAdder scanned) {
        void scan() {
            try {
                while (scanner.next() != -1) {
                    scanned.increment();
                }
            } catch (Throwable e) {
                System.out.println(e);
            }
        }
    }

    private static void draw(List<Scanner> scanners) {
        try {
            while (true) {
                Thread.sleep(15);
                ThreadLocalRandom random = ThreadLocalRandom.current();
                scanners.get(random.nextInt(scanners.size())).draw(random.nextLong());
            }
        } catch (Throwable e) {
            System.out.println(e);
        }
    }

    private static void pay(LongAdder paid, AtomicLong late) {
        try {
            while (true) {
                long start = System.nanoTime();
                Thread.sleep(20);
                late.accumulateAndGet((System.nanoTime() - start) / 1_000_000 - 20, Math::max);
                paid.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Throwable {
        LongAdder scanned = new LongAdder();
        LongAdder paid = new LongAdder();
        AtomicLong late = new AtomicLong();
        List<Scanner> devices = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Scanner scanner = new Scanner();
            devices.add(scanner);
            Thread.ofVirtual().name("desk-" + i).start(new Desk(scanner, scanned)::scan);
        }
        Thread.ofPlatform().daemon().name("goods").start(() -> draw(devices));
        for (int i = 0; i < 30; i++) {
            Thread.ofVirtual().name("customer-" + i).start(() -> pay(paid, late));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println(
                    "scanned " + scanned + ", paid " + paid + ", late " + late.getAndSet(0) + " ms, OS threads "
                            + Path.of("/proc/self/task").toFile().list().length);
        }
    }
}
