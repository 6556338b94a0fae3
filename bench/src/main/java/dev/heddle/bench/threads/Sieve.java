package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.BlockingQueue;

/// The prime sieve: a chain of filters, one virtual thread for each prime, with synchronous queues between them.
final class Sieve implements Program {

    private static final int END = 0; // queues cannot be closed

    @Override
    public void run(Job job) throws InterruptedException {
        BlockingQueue<Integer> numbers = numbersUpTo(job.width());
        int prime = 0;
        for (int i = 0; i < job.size(); i++) {
            prime = numbers.take();
            numbers = without(prime, numbers);
        }
        job.check(job.width(), prime); // the last number is the last prime
        job.check(END, numbers.take());
    }

    private static BlockingQueue<Integer> numbersUpTo(int last) {
        BlockingQueue<Integer> out = Threads.queue(0);
        Threads.start(() -> {
            for (int i = 2; i <= last; i++) {
                out.put(i);
            }
            out.put(END);
        });
        return out;
    }

    private static BlockingQueue<Integer> without(int prime, BlockingQueue<Integer> in) {
        BlockingQueue<Integer> out = Threads.queue(0);
        Threads.start(() -> {
            for (int value = in.take(); value != END; value = in.take()) {
                if (value % prime != 0) {
                    out.put(value);
                }
            }
            out.put(END);
        });
        return out;
    }
}
