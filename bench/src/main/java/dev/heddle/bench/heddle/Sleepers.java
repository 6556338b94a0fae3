package dev.heddle.bench.heddle;

import dev.heddle.WaitGroup;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// Many goroutines that only sleep briefly.
final class Sleepers implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        WaitGroup group = new WaitGroup();
        for (int i = 0; i < job.size(); i++) {
            group.go(() -> Thread.sleep(job.width()));
        }
        group.await();
    }
}
