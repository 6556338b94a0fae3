package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.CountDownLatch;

/// Many virtual threads that only sleep briefly.
final class Sleepers implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(job.size());
        for (int i = 0; i < job.size(); i++) {
            Threads.start(() -> {
                Thread.sleep(job.width());
                ended.countDown();
            });
        }
        ended.await();
    }
}
