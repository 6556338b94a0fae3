package dev.heddle.bench.heddle;

import static java.util.Objects.requireNonNull;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// Two goroutines send a number back and forth over two unbuffered channels; each adds one.
final class PingPong implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        Chan<Integer> ping = Chan.make();
        Chan<Integer> pong = Chan.make();
        Go.go(() -> {
            for (int value : ping) {
                pong.send(value + 1);
            }
        });
        int value = 0;
        for (int i = 0; i < job.size(); i++) {
            ping.send(value + 1);
            value = requireNonNull(pong.receive());
        }
        ping.close();
        job.check(2L * job.size(), value);
    }
}
