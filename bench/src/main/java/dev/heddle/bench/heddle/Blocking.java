package dev.heddle.bench.heddle;

import dev.heddle.Go;
import dev.heddle.bench.peer.BlockingReads;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.FutureTask;

/// Goroutines that all block in a read system call.
final class Blocking implements Program {

    @Override
    public void run(Job job) throws Exception {
        BlockingReads reads = new BlockingReads(job);
        long start = System.nanoTime();
        FutureTask<Void> watcher = new FutureTask<>(() -> {
            reads.watch(start);
            return null;
        });
        Thread.ofPlatform().start(watcher);
        for (int i = 0; i < job.size(); i++) {
            Go.go(reads::read);
        }
        watcher.get();
    }
}
