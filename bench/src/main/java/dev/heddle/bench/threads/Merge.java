package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.concurrent.BlockingQueue;

/// Four virtual threads pass numbers to a fifth. Queues have no select, so all four put into the same queue, each with
/// its name.
final class Merge implements Program {

    private record Message(int source, int value) {}

    @Override
    public void run(Job job) throws InterruptedException {
        int each = job.size() / 4;
        BlockingQueue<Message> messages = Threads.queue(0);
        for (int i = 0; i < 4; i++) {
            int source = i;
            Threads.start(() -> {
                for (int value = 1; value <= each; value++) {
                    messages.put(new Message(source, value));
                }
            });
        }
        long[] sums = new long[4];
        for (int i = 0; i < 4 * each; i++) {
            Message message = messages.take();
            sums[message.source] += message.value;
        }
        for (long sum : sums) {
            job.check((long) each * (each + 1) / 2, sum);
        }
    }
}
