// problem: Printing an invoice calls a native library that blocks inside the call, so each such request holds a
//     carrier thread for its whole time.
// place: Printer.print
// remedy: Run the native calls on a small pool of platform threads of their own, and limit how many run at once.

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Writes invoices by a vendor's native library; listing them needs no library. */
public final class Invoices {

    /** The vendor's library waits for its device in poll(2); here no device ever gets ready. */
    static final class Printer {
        private static final MethodHandle POLL = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("poll"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT));

        int print(int invoice, int millis) {
            try (var arena = Arena.ofConfined()) {
                MemorySegment page = arena.allocateFrom("invoice " + invoice);
                int ready = (int) POLL.invokeExact(MemorySegment.NULL, 0L, millis);
                return ready + (int) page.byteSize();
            } catch (Throwable e) {
                throw new IllegalStateException("invoice " + invoice + " was not printed", e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        var printer = new Printer();
        var printed = new LongAdder();
        var listed = new LongAdder();
        try (var requests = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 30; i++) {
                int desk = i;
                requests.submit(() -> {
                    for (int n = 0; ; n++) {
                        printed.add(printer.print(desk * 1_000 + n, 400));
                        Thread.sleep(10);
                    }
                });
            }
            for (int i = 0; i < 30; i++) {
                requests.submit(() -> {
                    while (true) {
                        listed.increment();
                        Thread.sleep(15);
                    }
                });
            }
        }
    }
}
