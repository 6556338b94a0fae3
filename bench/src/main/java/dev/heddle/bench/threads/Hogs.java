package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Lateness;
import dev.heddle.bench.peer.Program;
import java.util.ArrayList;
import java.util.List;

/// A virtual thread that sleeps repeatedly beside others that compute without a pause.
final class Hogs implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        Lateness lateness = new Lateness(job);
        List<Thread> threads = new ArrayList<>();
        threads.add(Threads.start(lateness::sleepAgainAndAgain));
        for (int i = 0; i < lateness.hogs(); i++) {
            threads.add(Threads.start(lateness::hog));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        lateness.report();
    }
}
