package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/// Virtual threads that increment a counter under one lock.
final class Lock implements Program {

    private int counter;

    @Override
    public void run(Job job) throws InterruptedException {
        counter = 0;
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch ended = new CountDownLatch(job.width());
        int each = job.size() / job.width();
        for (int i = 0; i < job.width(); i++) {
            Threads.start(() -> {
                for (int left = each; left > 0; left--) {
                    lock.lock();
                    try {
                        counter++;
                    } finally {
                        lock.unlock();
                    }
                }
                ended.countDown();
            });
        }
        ended.await();
        job.check((long) each * job.width(), counter);
    }
}
