package dev.heddle.bench.threads;

import dev.heddle.bench.peer.BlockingReads;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.io.IOException;
import java.io.UncheckedIOException;

/// Virtual threads that all block in a read system call.
final class Blocking implements Program {

    @Override
    public void run(Job job) throws Exception {
        BlockingReads reads = new BlockingReads(job);
        reads.run(() -> Thread.startVirtualThread(() -> {
            try {
                reads.read();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
    }
}
