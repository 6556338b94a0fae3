package dev.heddle.bench.heddle;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// A producer and a consumer with a buffer between them.
final class Buffered implements Program {

    @Override
    public void run(Job job) {
        Chan<Integer> values = Chan.make(job.width());
        Go.go(() -> {
            for (int i = 1; i <= job.size(); i++) {
                values.send(i);
            }
            values.close();
        });
        long sum = 0;
        for (int value : values) {
            sum += value;
        }
        job.check((long) job.size() * (job.size() + 1) / 2, sum);
    }
}
