package dev.heddle.bench.jox;

import com.softwaremill.jox.Channel;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import dev.heddle.bench.threads.Threads;

/// One virtual thread sends numbers to a hundred workers over one channel; another collects their squares from a
/// second.
final class FanOut implements Program {

    private static final int WORKERS = 100;

    @Override
    public void run(Job job) throws InterruptedException {
        Channel<Integer> jobs = channel(job.width());
        Channel<Long> results = channel(job.width());
        for (int i = 0; i < WORKERS; i++) {
            Threads.start(() -> {
                while (jobs.receiveOrClosed() instanceof Integer value) {
                    results.send((long) value * value);
                }
            });
        }
        Threads.start(() -> {
            for (int i = 1; i <= job.size(); i++) {
                jobs.send(i);
            }
            jobs.done();
        });
        long sum = 0;
        for (int i = 0; i < job.size(); i++) {
            sum += results.receive();
        }
        long n = job.size();
        job.check(n * (n + 1) / 2 * (2 * n + 1) / 3, sum);
    }

    private static <T> Channel<T> channel(int capacity) {
        return capacity == 0 ? Channel.newRendezvousChannel() : Channel.newBufferedChannel(capacity);
    }
}
