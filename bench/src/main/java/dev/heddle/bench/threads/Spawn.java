package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.CountDownLatch;

/// Starts many virtual threads that do nothing, and waits for all of them.
final class Spawn implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(job.size());
        for (int i = 0; i < job.size(); i++) {
            Thread.startVirtualThread(ended::countDown);
        }
        ended.await();
    }
}
