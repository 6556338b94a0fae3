package dev.heddle.internal.kernel;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Random mixes of everything that a scheduler's threads do, in rounds: what goes in must come out, and the round must
/// end. Needs no test library, so that it runs as the main class of a JVM as well.
final class KernelStress {

    /// If nothing has ended for so long, the round hangs. A round as a whole may take longer on a busy computer.
    private static final long HANG_NANOS = 60_000_000_000L;

    private static final int ROOTS = 150;

    /// Instead of a number of processors: it changes at random, 1 to 8.
    private static final int CHANGING = 0;

    private final Scheduler scheduler;
    private final boolean areProcsChanging;
    private final SplittableRandom random;
    private final AtomicLong in = new AtomicLong();
    private final AtomicLong out = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Object[] monitors = {new Object(), new Object(), new Object(), new Object()};
    private final ReentrantLock[] locks = {new ReentrantLock(), new ReentrantLock()};
    private volatile long sink;

    private KernelStress(Scheduler scheduler, boolean areProcsChanging, long seed) {
        this.scheduler = scheduler;
        this.areProcsChanging = areProcsChanging;
        this.random = new SplittableRandom(seed);
    }

    /// Arguments: seconds, and perhaps the number of processors and a seed.
    public static void main(String[] args) throws InterruptedException {
        int procs = args.length > 1 ? Integer.parseInt(args[1]) : CHANGING;
        long seed = args.length > 2 ? Long.parseLong(args[2]) : System.nanoTime();
        System.out.println(run(Long.parseLong(args[0]), procs, seed));
    }

    /// Runs for so many seconds on a scheduler whose number of processors changes. Returns what it did; throws if
    /// anything is wrong.
    static String run(long seconds, long seed) throws InterruptedException {
        return run(seconds, CHANGING, seed);
    }

    private static String run(long seconds, int procs, long seed) throws InterruptedException {
        System.out.println("kernel stress: seed " + seed);
        Scheduler scheduler = Scheduler.builder()
                .procs(procs == CHANGING ? 2 : procs)
                .name("stress")
                .build();
        KernelStress stress = new KernelStress(scheduler, procs == CHANGING, seed);
        int rounds = 0;
        try {
            for (long end = System.nanoTime() + seconds * 1_000_000_000L; System.nanoTime() < end; rounds++) {
                stress.round();
            }
            scheduler.close(); // not in a finally block: after a hang it would wait for ever
            Health.check(scheduler.stats());
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ", round " + rounds + ": " + e.getMessage(), e);
        }
        return "rounds " + rounds + ", in = out = " + stress.in + ", " + scheduler.stats();
    }

    private void round() throws InterruptedException {
        for (int i = 0; i < ROOTS; i++) {
            start(random.split(), 4);
        }
        if (areProcsChanging && random.nextInt(3) == 0) {
            scheduler.setProcs(1 + random.nextInt(8));
        }
        if (areProcsChanging && random.nextInt(3) == 0) {
            int procs = 1 + random.nextInt(8);
            in.incrementAndGet();
            scheduler.go(() -> {
                Go.gomaxprocs(procs);
                out.incrementAndGet();
            });
        }
        long ended = -1;
        long since = 0;
        while (in.get() != out.get() || scheduler.stats().live() != 0) {
            if (out.get() != ended) {
                ended = out.get();
                since = System.nanoTime();
            } else if (System.nanoTime() - since > HANG_NANOS) {
                throw new AssertionError(HangReport.of("in " + in + ", out " + out, scheduler));
            }
            LockSupport.parkNanos(200_000);
        }
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new AssertionError(thrown);
        }
    }

    /// Starts a goroutine or a virtual thread with work of its own; may be called by anybody.
    private void start(SplittableRandom dice, int depth) {
        in.incrementAndGet();
        if (dice.nextBoolean()) {
            scheduler.go(() -> live(dice, depth));
        } else {
            scheduler.threadFactory().newThread(() -> live(dice, depth)).start();
        }
    }

    private void live(SplittableRandom dice, int depth) {
        try {
            for (int step = 0; step < 5; step++) {
                step(dice, depth);
            }
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        } finally {
            out.incrementAndGet();
        }
    }

    private void step(SplittableRandom dice, int depth) throws InterruptedException {
        switch (dice.nextInt(12)) {
            case 0 -> Thread.yield();
            case 1, 2 -> {
                if (depth > 0) {
                    start(dice.split(), depth - 1);
                }
            }
            case 3 -> Thread.sleep(Duration.ofNanos(dice.nextInt(1_500_000)));
            case 4 -> parkAndBeUnparked(dice);
            case 5 -> waitForChildren(dice, depth);
            case 6 -> {
                ReentrantLock lock = locks[dice.nextInt(locks.length)];
                lock.lock();
                try {
                    Thread.yield();
                } finally {
                    lock.unlock();
                }
            }
            case 7 -> {
                synchronized (monitors[dice.nextInt(monitors.length)]) {
                    if (dice.nextBoolean()) {
                        Thread.yield();
                    }
                }
            }
            case 8 -> {
                Object monitor = monitors[dice.nextInt(monitors.length)];
                synchronized (monitor) {
                    monitor.wait(1);
                    monitor.notify();
                }
            }
            case 9 -> LockSupport.parkNanos(dice.nextInt(2_000_000));
            case 10 -> {
                Thread.currentThread().interrupt();
                LockSupport.park(this);
                Thread.interrupted();
            }
            default -> {
                long sum = 0;
                for (int i = dice.nextInt(20_000); i > 0; i--) {
                    sum += i;
                }
                sink = sum;
            }
        }
    }

    /// Another goroutine unparks this one, before or after it parks.
    private void parkAndBeUnparked(SplittableRandom dice) {
        Thread self = Thread.currentThread();
        AtomicReference<Thread> token = new AtomicReference<>(self);
        boolean timed = dice.nextBoolean();
        in.incrementAndGet();
        scheduler.go(() -> {
            token.set(null);
            LockSupport.unpark(self);
            out.incrementAndGet();
        });
        while (token.get() != null) {
            if (timed) {
                LockSupport.parkNanos(token, 1_000_000_000L);
            } else {
                LockSupport.park(token);
            }
        }
    }

    private void waitForChildren(SplittableRandom dice, int depth) throws InterruptedException {
        if (depth > 0) {
            int children = 1 + dice.nextInt(3);
            CountDownLatch latch = new CountDownLatch(children);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < children; i++) {
                in.incrementAndGet();
                Thread child = scheduler.threadFactory().newThread(() -> {
                    latch.countDown();
                    out.incrementAndGet();
                });
                threads.add(child);
                child.start();
            }
            latch.await();
            if (dice.nextBoolean()) {
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        }
    }
}
