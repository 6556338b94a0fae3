package dev.heddle.internal.kernel;

import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.procs.SystemFiles;
import dev.heddle.internal.queue.StealRule;
import dev.heddle.internal.settings.Settings;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Programs of [LimitsTest]: the first argument says which. They act at each line that they read.
final class LimitsPrograms {

    private static final int BLOCKERS = 12;
    private static final int OTHERS = 200;

    private LimitsPrograms() {}

    static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "threads" -> threads();
            case "quota" -> quota();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /// Carriers block until all others have run: there must be more carriers than the system allows at first.
    private static void threads() throws Exception {
        Scheduler scheduler = Scheduler.builder().procs(2).build();
        CountDownLatch warm = new CountDownLatch(1);
        scheduler.go(warm::countDown);
        warm.await();
        System.out.println("ready");
        waitForLine();
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(BLOCKERS + OTHERS);
        for (int i = 0; i < BLOCKERS; i++) {
            scheduler.go(() -> {
                Jdk.pin();
                while (ran.get() < OTHERS) {
                    LockSupport.parkNanos(1_000_000_000);
                }
                Jdk.unpin();
                done.countDown();
            });
        }
        for (int i = 0; i < OTHERS; i++) {
            scheduler.go(() -> {
                Thread.yield();
                ran.incrementAndGet();
                done.countDown();
            });
        }
        while (scheduler.stats().refusedThreads() == 0) {
            Thread.sleep(1);
        }
        System.out.println("refused, " + done.getCount() + " wait");
        System.out.println(done.await(60, TimeUnit.SECONDS) ? "all ran" : "stalled: " + scheduler.stats());
    }

    /// Says the number of processors whenever it changes. Pretends to have 8 CPUs.
    private static void quota() throws Exception {
        ProcsWatcher watcher =
                new ProcsWatcher(new EightCpus(), ProcsSettings.NONE, /* fallbackCpus= */ 1, System.nanoTime());
        Kernel kernel = Kernel.start(new KernelOptions(
                "quota",
                watcher,
                /* pinning= */ null,
                Settings.DEFAULT_MAX_THREADS,
                KernelOptions.DEFAULT_IDLE_NANOS,
                StealRule.GO,
                /* handler= */ null,
                /* warmUp= */ null));
        kernel.spawn(new TestGoroutine(() -> {
            while (true) {
                Thread.sleep(1); // so that the monitor watches
            }
        }));
        int said = 0;
        while (true) {
            int procs = kernel.procs();
            if (procs != said) {
                said = procs;
                System.out.println(procs);
            }
            Thread.sleep(1);
        }
    }

    private static void waitForLine() throws IOException {
        int _ = System.in.read();
    }

    private record EightCpus() implements SystemFiles {
        @Override
        public @Nullable String read(String path) throws IOException {
            return path.equals("/proc/self/status")
                    ? "Name:\tchild\nCpus_allowed_list:\t0-7\n"
                    : SystemFiles.real().read(path);
        }
    }
}
