package dev.heddle.bench.heddle;

import dev.heddle.Go;
import dev.heddle.bench.peer.BlockingReads;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// Goroutines that all block in a read system call.
final class Blocking implements Program {

    @Override
    public void run(Job job) throws Exception {
        BlockingReads reads = new BlockingReads(job);
        reads.run(() -> Go.go(reads::read));
    }
}
