package dev.heddle.agent;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Ways in which a JVM with two carriers stops for ever although it has work and idle CPUs, each known from production.
/// Says "ended", or "frozen" when the watchdog had to end it.
public final class FreezeProgram {

    private static final ReentrantLock LOCK = new ReentrantLock();

    private static volatile boolean stop;

    private FreezeProgram() {}

    public static void main(String[] args) throws Exception {
        List<Thread> threads = switch (args[0]) {
            case "pinned" -> pinned();
            case "hogs" -> hogs();
            case "files" -> files(Path.of(args[1]));
            default -> throw new IllegalArgumentException(args[0]);
        };
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
        boolean ended = true;
        for (Thread thread : threads) {
            long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
            thread.join(left);
            ended &= !thread.isAlive();
        }
        System.out.println(ended ? "ended" : "frozen");
        Runtime.getRuntime().halt(0); // what is frozen cannot be ended otherwise
    }

    /// Every carrier waits, pinned in a class initialiser, for a lock whose owner is a virtual thread that is not
    /// mounted.
    private static List<Thread> pinned() throws InterruptedException {
        CountDownLatch locked = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        Thread owner = Thread.startVirtualThread(() -> {
            LOCK.lock();
            locked.countDown();
            LockSupport.park();
            LOCK.unlock();
        });
        threads.add(owner);
        locked.await();
        for (Runnable initialiser : List.<Runnable>of(First::touch, Second::touch, Third::touch)) {
            threads.add(Thread.startVirtualThread(initialiser));
        }
        while (LOCK.getQueueLength() < 2) {
            Thread.onSpinWait();
        }
        LockSupport.unpark(owner); // which needs a carrier
        return threads;
    }

    private static void lockAndUnlock() {
        LOCK.lock();
        LOCK.unlock();
    }

    private static final class First {
        static {
            lockAndUnlock();
        }

        static void touch() {}
    }

    private static final class Second {
        static {
            lockAndUnlock();
        }

        static void touch() {}
    }

    private static final class Third {
        static {
            lockAndUnlock();
        }

        static void touch() {}
    }

    /// Every carrier computes until another virtual thread says stop.
    private static List<Thread> hogs() {
        List<Thread> threads = new ArrayList<>();
        CountDownLatch computing = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                computing.countDown();
                while (!stop) {
                    Thread.onSpinWait();
                }
            }));
        }
        threads.add(Thread.startVirtualThread(() -> {
            try {
                computing.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            stop = true;
        }));
        return threads;
    }

    /// Every carrier reads from a pipe in the file system, into which another virtual thread would write.
    private static List<Thread> files(Path fifo) {
        List<Thread> threads = new ArrayList<>();
        CountDownLatch reading = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                reading.countDown();
                try (var in = new FileInputStream(fifo.toFile())) {
                    in.read();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
        }
        threads.add(Thread.startVirtualThread(() -> {
            try {
                reading.await();
                try (var out = new FileOutputStream(fifo.toFile())) {
                    out.write(new byte[2]);
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        return threads;
    }
}
