package dev.heddle.internal.kernel;

import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.stats.SchedulerStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/// Programs of [FaultTest]: the first argument says which. They print `sound` if the scheduler is so afterwards.
/// Plain Java: the child has no test libraries.
final class FaultPrograms {
    private static final Duration GIVE_BACK_AFTER = Duration.ofSeconds(3);

    private static final int LITTLE_STACK = 128 * 1024;

    private FaultPrograms() {}

    static void main(String[] arguments) throws Exception {
        Scheduler scheduler = Scheduler.builder()
                .procs(2)
                .uncaughtExceptionHandler((_, _) -> {})
                .build();
        CountDownLatch first = new CountDownLatch(1);
        if (arguments[0].equals("littleStack")) {
            unparkWithLittleStack(scheduler, first);
        } else {
            scheduler.go(first::countDown);
        }
        await(first);
        if (!WarmUp.await(60, TimeUnit.SECONDS)) { // it would use memory, too
            throw new IllegalStateException("the warm-up does not end");
        }
        switch (arguments[0]) {
            case "littleStack" -> {
                // that was all
            }
            case "work" -> work(scheduler);
            case "spawnWithoutMemory" -> spawnWithoutMemory(scheduler);
            case "runWithoutMemory" -> runWithoutMemory(scheduler);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        String verdict = null;
        while (verdict == null) {
            try {
                verdict = verdict(scheduler);
            } catch (OutOfMemoryError _) {
                Thread.sleep(10); // those who held the memory have ended, and it is not collected yet
            }
        }
        System.out.println(verdict);
    }

    /// As the JDK's process reaper does, whose stack is as small.
    private static void unparkWithLittleStack(Scheduler scheduler, CountDownLatch done) throws InterruptedException {
        AtomicReference<Thread> parked = new AtomicReference<>();
        AtomicBoolean goOn = new AtomicBoolean();
        scheduler.go(() -> {
            parked.set(Thread.currentThread());
            while (!goOn.get()) {
                LockSupport.park();
            }
            done.countDown();
        });
        while (parked.get() == null || parked.get().getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        goOn.set(true);
        new Thread(null, () -> LockSupport.unpark(parked.get()), "reaper", LITTLE_STACK).start();
    }

    /// Switches, sleeps, hogs and pinned waits until a line comes.
    private static void work(Scheduler scheduler) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch done = new CountDownLatch(12);
        for (int i = 0; i < 12; i++) {
            int kind = i % 4;
            scheduler.go(() -> {
                while (!stop.get()) {
                    switch (kind) {
                        case 0 -> Thread.yield();
                        case 1 -> Thread.sleep(1);
                        case 2 -> Thread.onSpinWait();
                        default -> {
                            Jdk.pin();
                            LockSupport.parkNanos(1_000_000);
                            Jdk.unpin();
                        }
                    }
                }
                done.countDown();
            });
        }
        System.out.println("ready");
        int _ = System.in.read();
        stop.set(true);
        await(done);
    }

    /// A spawner starts threads, and uses up some memory for each, until the heap is full; several times. A
    /// thread that cannot be unmounted because the heap is full keeps its carrier, no further carrier can be
    /// made, and an unpark needs memory too. So the main thread frees the memory by plain stores, whether or
    /// not the spawner caught its OutOfMemoryErrors.
    private static void spawnWithoutMemory(Scheduler scheduler) throws Exception {
        AtomicInteger started = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        for (int round = 0; round < 2; round++) {
            AtomicBoolean open = new AtomicBoolean();
            Thread[] waiting = new Thread[2_000]; // had beforehand: there will be no memory for it
            Object[] ballast = new Object[waiting.length];
            AtomicBoolean over = new AtomicBoolean();
            Thread spawner = scheduler.threadFactory().newThread(() -> {
                for (int i = 0; i < waiting.length && !open.get() && failed.get() < 3; i++) {
                    try {
                        ballast[i] = new byte[20_000];
                        Thread thread = scheduler.threadFactory().newThread(() -> {
                            while (!open.get()) {
                                LockSupport.park(); // untimed: with every timeout the collector would start again
                            }
                            ran.incrementAndGet();
                        });
                        thread.start();
                        waiting[i] = thread;
                        started.incrementAndGet();
                    } catch (OutOfMemoryError _) {
                        failed.incrementAndGet();
                    }
                }
                over.set(true);
            });
            spawner.start();
            long giveBack = System.nanoTime() + GIVE_BACK_AFTER.toNanos();
            while (!over.get() && System.nanoTime() < giveBack) {
                Thread.sleep(10); // a join would need memory
            }
            open.set(true);
            Arrays.fill(ballast, null);
            boolean isLastTime;
            do {
                isLastTime = over.get(); // or it may start another one
                for (Thread thread : waiting) {
                    LockSupport.unpark(thread); // null is allowed
                }
                Thread.sleep(10);
            } while (!isLastTime);
            awaitAll(scheduler);
            failed.set(0);
        }
        if (ran.get() < started.get() || started.get() < 500) { // the memory is enough for about a thousand
            throw new IllegalStateException(started + " started, " + ran + " ran");
        }
    }

    /// Threads that use up all memory while others sleep, yield and wait.
    private static void runWithoutMemory(Scheduler scheduler) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger exhausted = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        int workers = 50;
        for (int i = 0; i < workers; i++) {
            scheduler
                    .threadFactory()
                    .newThread(() -> {
                        Object monitor = new Object();
                        for (int round = 0; !stop.get(); round++) {
                            try {
                                switch (round % 4) {
                                    case 0 -> Thread.yield();
                                    case 1 -> LockSupport.parkNanos(1_000_000);
                                    case 2 -> Thread.sleep(1);
                                    default -> {
                                        synchronized (monitor) {
                                            monitor.wait(1);
                                        }
                                    }
                                }
                            } catch (OutOfMemoryError | InterruptedException _) {
                                // goes on
                            }
                        }
                        ended.incrementAndGet();
                    })
                    .start();
        }
        AtomicBoolean full = new AtomicBoolean(true);
        scheduler
                .threadFactory()
                .newThread(() -> {
                    try {
                        for (int round = 0; round < 10; round++) {
                            exhaustMemory(exhausted);
                        }
                    } finally {
                        full.set(false);
                    }
                })
                .start();
        while (full.get()) {
            Thread.sleep(10); // a join would need memory
        }
        stop.set(true);
        awaitAll(scheduler);
        if (ended.get() != workers || exhausted.get() == 0) {
            throw new IllegalStateException(ended + " of " + workers + " ended");
        }
    }

    private static void exhaustMemory(AtomicInteger exhausted) {
        List<byte[]> eaten = new ArrayList<>();
        int size = 1 << 20;
        while (size > 16) {
            try {
                eaten.add(new byte[size]);
                if (eaten.size() > 1_000_000) {
                    break;
                }
            } catch (OutOfMemoryError _) {
                size /= 4;
                exhausted.incrementAndGet();
            }
        }
        try {
            Thread.sleep(20);
        } catch (OutOfMemoryError | InterruptedException _) {
            // the memory is given back below
        }
        eaten.clear();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(latch.getCount() + " did not come");
        }
    }

    private static void awaitAll(Scheduler scheduler) throws InterruptedException {
        for (int i = 0; i < 600; i++) {
            try {
                if (scheduler.stats().live() == 0) {
                    return;
                }
            } catch (OutOfMemoryError _) {
                // the threads that hold the memory are about to end
            }
            Thread.sleep(100);
        }
        throw new IllegalStateException("not ended: " + unfinished(scheduler) + scheduler.stats());
    }

    /// The threads that are left, each with the JDK's state of it ([dev.heddle.internal.jdk.ThreadState]).
    private static String unfinished(Scheduler scheduler) {
        CarrierPool pool = Objects.requireNonNull(
                Jdk.poolOf(scheduler.threadFactory().newThread(() -> {}))); // the new thread is never started
        StringBuilder text = new StringBuilder();
        for (Thread thread : Jdk.virtualThreadsOf(pool)) {
            text.append(thread).append(" in state ").append(Jdk.stateOf(thread)).append('\n');
            for (StackTraceElement frame : thread.getStackTrace()) {
                text.append("    at ").append(frame).append('\n');
            }
        }
        return text.toString();
    }

    /// The smoke test, and the figures that must be 0.
    private static String verdict(Scheduler scheduler) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(400);
        for (int i = 0; i < 200; i++) {
            scheduler.go(() -> {
                Thread.yield();
                done.countDown();
            });
            scheduler
                    .threadFactory()
                    .newThread(() -> {
                        LockSupport.parkNanos(1_000);
                        done.countDown();
                    })
                    .start();
        }
        await(done);
        awaitAll(scheduler);
        for (String helper : List.of("-sysmon", "-starter")) {
            String name = scheduler.name() + helper;
            if (Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(it -> it.getName().equals(name))) {
                return name + " has died";
            }
        }
        SchedulerStats stats = scheduler.stats();
        return stats.safetyNet() == 0 ? "sound" : "work that only the safety net found: " + stats;
    }
}
