package dev.heddle.bench.heddle;

import dev.heddle.Chan;
import dev.heddle.WaitGroup;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Proc;
import dev.heddle.bench.peer.Program;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/// The memory used by a goroutine that waits at a channel.
final class Memory implements Program {

    @Override
    public void run(Job job) throws InterruptedException, IOException {
        long before = Proc.residentBytes();
        Chan<Boolean> gate = Chan.make();
        AtomicInteger arrived = new AtomicInteger();
        WaitGroup group = new WaitGroup();
        for (int i = 0; i < job.size(); i++) {
            group.go(() -> {
                arrived.incrementAndGet();
                gate.receive();
            });
        }
        while (arrived.get() < job.size()) {
            Thread.sleep(1);
        }
        job.figure("bytes", (double) (Proc.residentBytes() - before) / job.size());
        gate.close();
        group.await();
    }
}
