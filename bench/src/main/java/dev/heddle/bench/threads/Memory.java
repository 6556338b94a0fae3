package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Proc;
import dev.heddle.bench.peer.Program;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/// The memory used by a virtual thread that waits at a latch.
final class Memory implements Program {

    @Override
    public void run(Job job) throws InterruptedException, IOException {
        long before = Proc.residentBytes();
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(job.size());
        CountDownLatch ended = new CountDownLatch(job.size());
        for (int i = 0; i < job.size(); i++) {
            Threads.start(() -> {
                arrived.countDown();
                gate.await();
                ended.countDown();
            });
        }
        arrived.await();
        job.figure("bytes", (double) (Proc.residentBytes() - before) / job.size());
        gate.countDown();
        ended.await();
    }
}
