package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.BlockingQueue;

/// One virtual thread puts numbers for a hundred workers into one queue; another takes their squares from a second.
final class FanOut implements Program {

    private static final int WORKERS = 100;
    private static final int END = 0; // queues cannot be closed

    @Override
    public void run(Job job) throws InterruptedException {
        BlockingQueue<Integer> jobs = Threads.queue(job.width());
        BlockingQueue<Long> results = Threads.queue(job.width());
        for (int i = 0; i < WORKERS; i++) {
            Threads.start(() -> {
                for (int value = jobs.take(); value != END; value = jobs.take()) {
                    results.put((long) value * value);
                }
            });
        }
        Threads.start(() -> {
            for (int i = 1; i <= job.size(); i++) {
                jobs.put(i);
            }
            for (int i = 0; i < WORKERS; i++) {
                jobs.put(END);
            }
        });
        long sum = 0;
        for (int i = 0; i < job.size(); i++) {
            sum += results.take();
        }
        long n = job.size();
        job.check(n * (n + 1) / 2 * (2 * n + 1) / 3, sum);
    }
}
