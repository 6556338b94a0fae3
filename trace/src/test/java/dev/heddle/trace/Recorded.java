package dev.heddle.trace;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Trace;
import dev.heddle.WaitGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Makes a recording of this JVM while it does a little of everything: channels, shells, locks, monitors, timers, hogs,
/// blocked threads, locked threads, foreign wakers, and changes of GOMAXPROCS.
public final class Recorded {

    private static volatile long sink;

    private Recorded() {}

    /// @param rounds how often everything is done
    public static Path stress(Path file, int rounds) throws IOException, InterruptedException {
        int procs = Go.gomaxprocs(2);
        WaitGroup earlier = new WaitGroup();
        earlier.go(() -> Thread.sleep(50)); // was there before the recording
        Trace.start(file, Trace.Options.DEFAULT.withStacksEvery(3));
        try {
            for (int i = 0; i < rounds; i++) {
                everything();
                Go.gomaxprocs(1);
                several();
                Go.gomaxprocs(3);
                several();
                Go.gomaxprocs(2);
            }
            earlier.await();
        } finally {
            Trace.stop();
            Go.gomaxprocs(procs);
        }
        return file;
    }

    private static void everything() throws InterruptedException {
        WaitGroup group = new WaitGroup();
        Chan<Integer> there = Chan.make();
        Chan<Integer> back = Chan.make();
        group.go(() -> {
            for (int i = 0; i < 200; i++) {
                there.send(i);
                back.receive();
            }
        });
        group.go(() -> {
            for (int i = 0; i < 200; i++) {
                there.receive();
                back.send(i);
            }
        });
        for (int i = 0; i < 700; i++) {
            group.go(() -> sink++);
        }
        ReentrantLock lock = new ReentrantLock();
        Object monitor = new Object();
        for (int i = 0; i < 8; i++) {
            group.go(() -> {
                for (int j = 0; j < 5; j++) {
                    lock.lock();
                    try {
                        sink++;
                    } finally {
                        lock.unlock();
                    }
                    synchronized (monitor) {
                        monitor.wait(1);
                    }
                    Thread.sleep(Duration.ofMillis(1));
                }
            });
        }
        for (int i = 0; i < 3; i++) {
            group.go(() -> compute(Duration.ofMillis(25)));
        }
        group.go(() -> {
            Go.lockOSThread();
            Go.gosched();
            Thread.sleep(1);
            Go.unlockOSThread();
        });
        Thread parked = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 5; i++) {
                LockSupport.park();
            }
        });
        Thread waker = Thread.ofPlatform().start(() -> {
            while (parked.isAlive()) {
                LockSupport.unpark(parked);
                LockSupport.parkNanos(200_000);
            }
        });
        try (Trace.Task task = Trace.task("round");
                Trace.Region _ = task.region("wait")) {
            Trace.log("note", "all were started");
            group.await();
        }
        parked.join();
        waker.join();
    }

    private static void several() throws InterruptedException {
        WaitGroup group = new WaitGroup();
        for (int i = 0; i < 20; i++) {
            group.go(() -> {
                for (int j = 0; j < 5; j++) {
                    Go.gosched();
                }
            });
        }
        group.await();
    }

    private static void compute(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        long value = 1;
        while (System.nanoTime() < end) {
            value = value * 31 + 7;
        }
        sink = value;
    }
}
