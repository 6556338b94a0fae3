// problem: The driver of the scales waits for a weight in native code, up to 700 ms. Each call blocks the carrier
//     of its virtual thread: 32 scales need 32 carriers, or starve everything else on a scheduler that does not add
//     any.
// place: Scale.await
// place: Scale.weigh
// remedy: Call the driver in a small pool of platform threads, one for each scale or one that polls all.
// named: carriers (machines) are blocked by native calls, at one of the places
// half: blocked carriers without the place, or many platform threads without the native call
// false: slow locks, too few processors, CPU
// shows: in native code is about 32, and the JVM has more than 32 platform threads more than at its start
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

public class Cooperage {

    /// A scale behind a driver in C. Its device is readable when a barrel stands still.
    static final class Scale {
        private static final MethodHandle POLL = Linker.nativeLinker().downcallHandle(
                Linker.nativeLinker().defaultLookup().find("poll").orElseThrow(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
        private static final AtomicInteger INSIDE = new AtomicInteger();

        double weigh() {
            int ready = await(ThreadLocalRandom.current().nextInt(400, 700));
            return 48 + ready + ThreadLocalRandom.current().nextDouble();
        }

        private int await(int millis) {
            INSIDE.incrementAndGet();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment devices = arena.allocate(8);
                devices.set(ValueLayout.JAVA_INT, 0, -1); // the simulated device: never readable
                return (int) POLL.invokeExact(devices, 1L, millis);
            } catch (Throwable e) {
                throw new IllegalStateException("the scale's driver failed", e);
            } finally {
                INSIDE.decrementAndGet();
            }
        }
    }

    private static void weighAlways(LongAdder barrels) {
        var scale = new Scale();
        while (!Thread.currentThread().isInterrupted()) {
            if (scale.weigh() > 0) {
                barrels.increment();
            }
        }
    }

    private static void answer(LongAdder answers) {
        try {
            while (true) {
                Thread.sleep(10);
                answers.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var barrels = new LongAdder();
        var answers = new LongAdder();
        for (int i = 0; i < 32; i++) {
            Thread.ofVirtual().name("scale-" + i).start(() -> weighAlways(barrels));
        }
        for (int i = 0; i < 10; i++) {
            Thread.ofVirtual().name("web-" + i).start(() -> answer(answers));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "barrels %d, answers %d, in native code %d, platform threads %d%n",
                    barrels.sum(), answers.sum(), Scale.INSIDE.get(),
                    ManagementFactory.getThreadMXBean().getThreadCount());
        }
    }
}
