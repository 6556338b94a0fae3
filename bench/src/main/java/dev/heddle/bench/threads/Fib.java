package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// Fork and join: fib(n), with a virtual thread for every call.
final class Fib implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        job.check(job.width(), fib(job.size()));
    }

    private static int fib(int n) throws InterruptedException {
        if (n < 2) {
            return n;
        }
        int[] parts = new int[2];
        Thread one = Threads.start(() -> parts[0] = fib(n - 1));
        Thread two = Threads.start(() -> parts[1] = fib(n - 2));
        one.join();
        two.join();
        return parts[0] + parts[1];
    }
}
