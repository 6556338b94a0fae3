package dev.heddle.bench.jox;

import com.softwaremill.jox.Channel;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import dev.heddle.bench.threads.Threads;

/// A producer and a consumer with a buffered channel between them.
final class Buffered implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        Channel<Integer> values = Channel.newBufferedChannel(job.width());
        Threads.start(() -> {
            for (int i = 1; i <= job.size(); i++) {
                values.send(i);
            }
        });
        long sum = 0;
        for (int i = 0; i < job.size(); i++) {
            sum += values.receive();
        }
        job.check((long) job.size() * (job.size() + 1) / 2, sum);
    }
}
