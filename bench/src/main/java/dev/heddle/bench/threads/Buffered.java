package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.BlockingQueue;

/// A producer and a consumer with a bounded queue between them.
final class Buffered implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        BlockingQueue<Integer> values = Threads.queue(job.width());
        Threads.start(() -> {
            for (int i = 1; i <= job.size(); i++) {
                values.put(i);
            }
        });
        long sum = 0;
        for (int i = 0; i < job.size(); i++) {
            sum += values.take();
        }
        job.check((long) job.size() * (job.size() + 1) / 2, sum);
    }
}
