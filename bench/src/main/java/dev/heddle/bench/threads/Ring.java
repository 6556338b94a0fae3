package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.BlockingQueue;

/// A number travels around a ring of virtual threads; each adds one and passes it on.
final class Ring implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        int laps = job.size() / job.width();
        BlockingQueue<Integer> first = Threads.queue(0);
        BlockingQueue<Integer> last = first;
        for (int i = 0; i < job.width(); i++) {
            last = node(last, laps);
        }
        int value = 0;
        for (int lap = 0; lap < laps; lap++) {
            first.put(value);
            value = last.take();
        }
        job.check((long) laps * job.width(), value);
    }

    private static BlockingQueue<Integer> node(BlockingQueue<Integer> in, int laps) {
        BlockingQueue<Integer> out = Threads.queue(0);
        Threads.start(() -> {
            for (int lap = 0; lap < laps; lap++) {
                out.put(in.take() + 1);
            }
        });
        return out;
    }
}
