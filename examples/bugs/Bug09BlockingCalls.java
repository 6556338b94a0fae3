import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Bug 9: blocking calls into a native library, as many at once as there are events.
///
/// **Symptom.** The number of threads grows into the hundreds; other goroutines stall. **Cause.** A goroutine in a
/// native call keeps its carrier thread. Its processor goes to another thread (not after 10 us, as is often written,
/// but when the monitor has sampled it twice; docs/notes/go.md, D18). So nothing is stuck, but each call in progress
/// costs a thread. **Fix.** Allow only a few calls at a time; the others wait as goroutines, which cost very little.
///
/// `./heddle run examples/bugs/Bug09BlockingCalls.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug09BlockingCalls {
    private static final int EVENTS_PER_SECOND = 800;
    private static final int CALL_MICROS = 100_000;
    private static final int LIMIT = 8;

    private static final MethodHandle usleep = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("usleep"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final LongAdder done = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        Chan<Boolean> permits = Chan.make(LIMIT);
        long end = System.nanoTime() + Integer.getInteger("seconds", 3) * 1_000_000_000L;
        int threads = 0;
        while (System.nanoTime() < end) {
            Thread.sleep(10);
            for (int i = 0; i < EVENTS_PER_SECOND / 100 && System.nanoTime() < end; i++) {
                if (fixed) {
                    permits.send(true); // waits while LIMIT calls are in progress
                }
                Go.go(() -> {
                    try {
                        process();
                    } finally {
                        permits.tryReceive();
                    }
                });
            }
            threads = Math.max(threads, Scheduler.current().stats().threads());
        }
        System.out.printf(
                "%s: %d calls done, with up to %d carrier threads%n", fixed ? "fixed" : "broken", done.sum(), threads);
        System.exit(0);
    }

    private static void process() throws Throwable {
        int result = (int) usleep.invokeExact(CALL_MICROS); // stands for a driver, a codec, a file system
        done.add(result + 1L);
    }
}
