package dev.heddle.bench.heddle;

import static java.util.Objects.requireNonNull;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// A number travels around a ring of goroutines; each adds one and passes it on.
final class Ring implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        int laps = job.size() / job.width();
        Chan<Integer> first = Chan.make();
        Chan<Integer> last = first;
        for (int i = 0; i < job.width(); i++) {
            last = node(last);
        }
        int value = 0;
        for (int lap = 0; lap < laps; lap++) {
            first.send(value);
            value = requireNonNull(last.receive());
        }
        first.close();
        job.check((long) laps * job.width(), value);
    }

    private static Chan<Integer> node(Chan<Integer> in) {
        Chan<Integer> out = Chan.make();
        Go.go(() -> {
            for (int value : in) {
                out.send(value + 1);
            }
            out.close();
        });
        return out;
    }
}
