package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.BlockingQueue;

/// A tree of virtual threads with ten children each. A node takes their numbers from a queue with room for all ten.
final class Skynet implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        BlockingQueue<Long> result = Threads.queue(1);
        Threads.start(() -> node(0, job.size(), result));
        job.check((long) job.size() * (job.size() - 1) / 2, result.take());
    }

    private static void node(long number, int leaves, BlockingQueue<Long> parent) throws InterruptedException {
        if (leaves == 1) {
            parent.put(number);
            return;
        }
        BlockingQueue<Long> children = Threads.queue(10);
        int share = leaves / 10;
        for (int i = 0; i < 10; i++) {
            long first = number + (long) i * share;
            Threads.start(() -> node(first, share, children));
        }
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += children.take();
        }
        parent.put(sum);
    }
}
