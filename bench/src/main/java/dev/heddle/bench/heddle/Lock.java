package dev.heddle.bench.heddle;

import dev.heddle.WaitGroup;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.locks.ReentrantLock;

/// Goroutines that increment a counter under one lock of the JDK.
final class Lock implements Program {

    private int counter;

    @Override
    public void run(Job job) throws InterruptedException {
        counter = 0;
        ReentrantLock lock = new ReentrantLock();
        WaitGroup group = new WaitGroup();
        int each = job.size() / job.width();
        for (int i = 0; i < job.width(); i++) {
            group.go(() -> {
                for (int left = each; left > 0; left--) {
                    lock.lock();
                    try {
                        counter++;
                    } finally {
                        lock.unlock();
                    }
                }
            });
        }
        group.await();
        job.check((long) each * job.width(), counter);
    }
}
