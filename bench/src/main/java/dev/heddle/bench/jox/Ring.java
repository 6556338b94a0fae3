package dev.heddle.bench.jox;

import com.softwaremill.jox.Channel;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import dev.heddle.bench.threads.Threads;

/// A number travels around a ring of virtual threads; each adds one and sends it on.
final class Ring implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        int laps = job.size() / job.width();
        Channel<Integer> first = Channel.newRendezvousChannel();
        Channel<Integer> last = first;
        for (int i = 0; i < job.width(); i++) {
            last = node(last, laps);
        }
        int value = 0;
        for (int lap = 0; lap < laps; lap++) {
            first.send(value);
            value = last.receive();
        }
        job.check((long) laps * job.width(), value);
    }

    private static Channel<Integer> node(Channel<Integer> in, int laps) {
        Channel<Integer> out = Channel.newRendezvousChannel();
        Threads.start(() -> {
            for (int lap = 0; lap < laps; lap++) {
                out.send(in.receive() + 1);
            }
        });
        return out;
    }
}
