package dev.heddle.bench.jox;

import com.softwaremill.jox.Channel;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import dev.heddle.bench.threads.Threads;

/// A tree of virtual threads with ten children each; every leaf sends its number, every node the sum of its
/// children.
final class Skynet implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        Channel<Long> result = Channel.newRendezvousChannel();
        Threads.start(() -> node(0, job.size(), result));
        job.check((long) job.size() * (job.size() - 1) / 2, result.receive());
    }

    private static void node(long number, int leaves, Channel<Long> parent) throws InterruptedException {
        if (leaves == 1) {
            parent.send(number);
            return;
        }
        Channel<Long> children = Channel.newRendezvousChannel();
        int share = leaves / 10;
        for (int i = 0; i < 10; i++) {
            long first = number + (long) i * share;
            Threads.start(() -> node(first, share, children));
        }
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += children.receive();
        }
        parent.send(sum);
    }
}
