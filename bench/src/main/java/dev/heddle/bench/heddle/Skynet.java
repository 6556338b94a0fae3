package dev.heddle.bench.heddle;

import static java.util.Objects.requireNonNull;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// A tree of goroutines with ten children each; every leaf sends its number, every node the sum of its children.
final class Skynet implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        Chan<Long> result = Chan.make();
        Go.go(() -> node(0, job.size(), result));
        job.check((long) job.size() * (job.size() - 1) / 2, requireNonNull(result.receive()));
    }

    private static void node(long number, int leaves, Chan<Long> parent) throws InterruptedException {
        if (leaves == 1) {
            parent.send(number);
            return;
        }
        Chan<Long> children = Chan.make();
        int share = leaves / 10;
        for (int i = 0; i < 10; i++) {
            long first = number + (long) i * share;
            Go.go(() -> node(first, share, children));
        }
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += requireNonNull(children.receive());
        }
        parent.send(sum);
    }
}
