package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.BlockingQueue;

/// Two virtual threads pass a number back and forth over two synchronous queues; each adds one.
final class PingPong implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        BlockingQueue<Integer> ping = Threads.queue(0);
        BlockingQueue<Integer> pong = Threads.queue(0);
        Threads.start(() -> {
            for (int i = 0; i < job.size(); i++) {
                pong.put(ping.take() + 1);
            }
        });
        int value = 0;
        for (int i = 0; i < job.size(); i++) {
            ping.put(value + 1);
            value = pong.take();
        }
        job.check(2L * job.size(), value);
    }
}
