package dev.heddle.bench.heddle;

import dev.heddle.Go;
import dev.heddle.WaitGroup;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// Goroutines that yield to each other.
final class Yield implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        WaitGroup group = new WaitGroup();
        for (int i = 0; i < job.width(); i++) {
            group.go(() -> {
                for (int left = job.size() / job.width(); left > 0; left--) {
                    Go.gosched();
                }
            });
        }
        group.await();
    }
}
