package dev.heddle.bench.heddle;

import dev.heddle.WaitGroup;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// Fork and join: fib(n), with a goroutine for every call.
final class Fib implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        job.check(job.width(), fib(job.size()));
    }

    private static int fib(int n) throws InterruptedException {
        if (n < 2) {
            return n;
        }
        WaitGroup group = new WaitGroup();
        int[] parts = new int[2];
        group.go(() -> parts[0] = fib(n - 1));
        group.go(() -> parts[1] = fib(n - 2));
        group.await();
        return parts[0] + parts[1];
    }
}
