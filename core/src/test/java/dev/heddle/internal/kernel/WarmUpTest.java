package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.event.CoarseClock;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.queue.LocalRunQueue;
import dev.heddle.testing.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// J9: once the first goroutines have run, nothing of the kernel has to be loaded any more, whatever happens.
class WarmUpTest {

    private static final String REHEARSED = "rehearsed";

    /// What the demoter loads on a thread of its own, when the first hog is suspected or the scheduler is idle: on a
    /// busy computer that may come after the warm-up. No other thread of the kernel waits for it.
    private static final List<String> OF_THE_DEMOTER = List.of("kernel.JvmCpuTime", "kernel.Demoter$$Lambda");

    static final class Everything {
        private Everything() {}

        public static void main(String[] arguments) throws Exception {
            Scheduler scheduler = Scheduler.builder().procs(2).build();
            CountDownLatch first = new CountDownLatch(1);
            scheduler.go(first::countDown);
            first.await();
            if (!WarmUp.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the warm-up does not end");
            }
            System.out.println(REHEARSED);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                int kind = i % 6;
                threads.add(scheduler.threadFactory().newThread(() -> act(kind)));
            }
            threads.forEach(Thread::start);
            scheduler.setProcs(3);
            for (Thread thread : threads) {
                thread.join();
            }
        }

        private static void act(int kind) {
            switch (kind) {
                case 0 -> Thread.yield();
                case 1 -> LockSupport.parkNanos(1_000_000);
                case 2 -> Scheduler.current().go(() -> LockSupport.parkNanos(1));
                case 3 -> {
                    Jdk.pin();
                    LockSupport.parkNanos(3_000_000);
                    Jdk.unpin();
                }
                case 4 -> {
                    Go.lockOSThread();
                    Thread.yield();
                    Go.unlockOSThread();
                }
                default -> {
                    Object monitor = new Object();
                    synchronized (monitor) {
                        try {
                            monitor.wait(1);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }
            }
        }
    }

    @Test
    void noClassOfTheKernelIsLoadedAfterwards() throws InterruptedException {
        String out = ChildJvm.of(Everything.class)
                .option("-Xlog:class+load:stdout:tags")
                .succeed();
        assertThat(out).contains("dev.heddle.internal.kernel.WarmUp ", REHEARSED);
        int rehearsed = out.indexOf(REHEARSED + "\n");
        assertThat(out.substring(0, rehearsed).lines())
                .as("the pattern matches such lines")
                .anyMatch(WarmUpTest::isLoadOfTheKernel);
        assertThat(out.substring(rehearsed).lines())
                .filteredOn(WarmUpTest::isLoadOfTheKernel)
                .isEmpty();
    }

    /// The JVM links a call of a VarHandle when it is first executed, and needs memory for it. On a full heap
    /// such a call would fail in the middle of a change.
    @Test
    void everyHandleCallOfTheKernelIsLinked() throws Exception {
        String out = ChildJvm.of(Everything.class)
                .option("-Xlog:methodhandles:stdout:none")
                .succeed();
        Set<String> linked = out.substring(0, out.indexOf(REHEARSED + "\n"))
                .lines()
                .filter(line -> line.startsWith("resolve_invokehandle "))
                .map(line -> line.substring("resolve_invokehandle ".length()))
                .collect(Collectors.toSet());
        assertThat(linked).as("the pattern matches such lines").isNotEmpty();
        assertThat(HandleCalls.of(Kernel.class, LocalRunQueue.class, CoarseClock.class))
                .as("calls of VarHandles that the warm-up does not make")
                .isNotEmpty()
                .isSubsetOf(linked);
    }

    private static boolean isLoadOfTheKernel(String line) {
        return line.matches(".*] dev\\.heddle\\.internal\\.(kernel|queue|jdk|event)\\.[A-Z].*")
                && !line.contains("WarmUpTest")
                && OF_THE_DEMOTER.stream().noneMatch(line::contains);
    }

    /// A program that says whether there was a warm-up, within so many seconds.
    static final class Asking {
        public static void main(String[] args) throws InterruptedException {
            try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
                CountDownLatch ran = new CountDownLatch(1);
                scheduler.go(ran::countDown);
                ran.await();
                System.out.println("rehearsed: " + WarmUp.await(Long.parseLong(args[0]), TimeUnit.SECONDS));
            }
            System.exit(0);
        }
    }

    /// Its threads would be shown to a debugger, which might not expect them (OpenJDK's SuspendResume1 does not).
    @Test
    void notBeforeTheEyesOfADebugger() throws InterruptedException {
        assertThat(ChildJvm.of(Asking.class, "60").succeed()).contains("rehearsed: true");
        assertThat(ChildJvm.of(Asking.class, "2")
                        .option("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=localhost:0")
                        .succeed())
                .contains("rehearsed: false");
    }
}
