import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Bug 9: blocking calls into a native library, as many at once as there are requests.
///
/// **Symptom.** The number of threads grows into the hundreds; other goroutines stall. **Cause.** A goroutine in a
/// native call keeps its carrier thread. Its processor goes to another thread (not after 10 us, as is often written,
/// but when the monitor has sampled it twice; docs/notes/go.md, D18). So nothing is stuck, but each call in progress
/// costs a thread. Most of these calls only wait inside the library for each other: it serves eight at a time. **Fix.**
/// Let them wait outside, as goroutines, which cost very little: allow only as many calls as the library serves. As many
/// calls are done, with a tenth of the threads.
///
/// `./heddle run examples/bugs/Bug09BlockingCalls.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug09BlockingCalls {
    private static final int CLIENTS = 120;
    private static final int CALL_MICROS = 20_000;
    private static final int SERVED_AT_ONCE = 8;

    private static final MethodHandle usleep = function("usleep", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle semWait = function("sem_wait", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle semPost = function("sem_post", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MemorySegment device =
            Arena.global().allocate(MemoryLayout.sequenceLayout(8, ADDRESS)); // a sem_t
    private static final LongAdder done = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        var semInit = function("sem_init", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        int _ = (int) semInit.invokeExact(device, 0, SERVED_AT_ONCE);
        Chan<Boolean> permits = Chan.make(SERVED_AT_ONCE);
        for (int i = 0; i < CLIENTS; i++) {
            Go.go(() -> {
                while (true) {
                    if (fixed) {
                        permits.send(true); // waits while SERVED_AT_ONCE calls are in progress
                    }
                    process();
                    if (fixed) {
                        permits.receive();
                    }
                }
            });
        }
        int threads = 0;
        long end = System.nanoTime() + Integer.getInteger("seconds", 3) * 1_000_000_000L;
        while (System.nanoTime() < end) {
            Thread.sleep(10);
            threads = Math.max(threads, Scheduler.current().stats().threads());
        }
        System.out.printf(
                "%s: %d calls done, with up to %d carrier threads%n", fixed ? "fixed" : "broken", done.sum(), threads);
        System.exit(0);
    }

    /// Stands for a driver, a codec, a file system.
    private static void process() throws Throwable {
        int _ = (int) semWait.invokeExact(device);
        int _ = (int) usleep.invokeExact(CALL_MICROS);
        int _ = (int) semPost.invokeExact(device);
        done.increment();
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }
}
