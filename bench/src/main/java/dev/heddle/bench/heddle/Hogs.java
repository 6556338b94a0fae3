package dev.heddle.bench.heddle;

import dev.heddle.WaitGroup;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Lateness;
import dev.heddle.bench.peer.Program;

/// A goroutine that sleeps repeatedly beside others that compute without a pause.
final class Hogs implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        Lateness lateness = new Lateness(job);
        WaitGroup group = new WaitGroup();
        group.go(lateness::sleepAgainAndAgain);
        for (int i = 0; i < lateness.hogs(); i++) {
            group.go(lateness::hog);
        }
        group.await();
        lateness.report();
    }
}
