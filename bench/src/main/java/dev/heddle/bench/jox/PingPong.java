package dev.heddle.bench.jox;

import com.softwaremill.jox.Channel;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import dev.heddle.bench.threads.Threads;

/// Two virtual threads send a number back and forth over two rendezvous channels; each adds one.
final class PingPong implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        Channel<Integer> ping = Channel.newRendezvousChannel();
        Channel<Integer> pong = Channel.newRendezvousChannel();
        Threads.start(() -> {
            for (int i = 0; i < job.size(); i++) {
                pong.send(ping.receive() + 1);
            }
        });
        int value = 0;
        for (int i = 0; i < job.size(); i++) {
            ping.send(value + 1);
            value = pong.receive();
        }
        job.check(2L * job.size(), value);
    }
}
