package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.CountDownLatch;

/// Virtual threads that yield to each other.
final class Yield implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(job.width());
        for (int i = 0; i < job.width(); i++) {
            Threads.start(() -> {
                for (int left = job.size() / job.width(); left > 0; left--) {
                    Thread.yield();
                }
                ended.countDown();
            });
        }
        ended.await();
    }
}
