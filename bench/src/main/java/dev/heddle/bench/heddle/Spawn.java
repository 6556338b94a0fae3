package dev.heddle.bench.heddle;

import dev.heddle.WaitGroup;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// Starts many goroutines that do nothing, and waits for all of them.
final class Spawn implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        WaitGroup group = new WaitGroup();
        for (int i = 0; i < job.size(); i++) {
            group.go(() -> {});
        }
        group.await();
    }
}
