package dev.heddle.bench.heddle;

import static java.util.Objects.requireNonNull;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// One goroutine sends numbers to a hundred workers over one channel; another collects their squares from a second.
final class FanOut implements Program {

    private static final int WORKERS = 100;

    @Override
    public void run(Job job) throws InterruptedException {
        Chan<Integer> jobs = Chan.make(job.width());
        Chan<Long> results = Chan.make(job.width());
        for (int i = 0; i < WORKERS; i++) {
            Go.go(() -> {
                for (int value : jobs) {
                    results.send((long) value * value);
                }
            });
        }
        Go.go(() -> {
            for (int i = 1; i <= job.size(); i++) {
                jobs.send(i);
            }
            jobs.close();
        });
        long sum = 0;
        for (int i = 0; i < job.size(); i++) {
            sum += requireNonNull(results.receive());
        }
        long n = job.size();
        job.check(n * (n + 1) / 2 * (2 * n + 1) / 3, sum);
    }
}
