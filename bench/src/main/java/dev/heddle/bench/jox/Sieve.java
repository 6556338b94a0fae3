package dev.heddle.bench.jox;

import com.softwaremill.jox.Channel;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import dev.heddle.bench.threads.Threads;

/// The prime sieve: a chain of filters, one virtual thread for each prime, with rendezvous channels between them.
final class Sieve implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        Channel<Integer> numbers = numbersUpTo(job.width());
        int prime = 0;
        for (int i = 0; i < job.size(); i++) {
            prime = numbers.receive();
            numbers = without(prime, numbers);
        }
        job.check(job.width(), prime); // the last number is the last prime
    }

    private static Channel<Integer> numbersUpTo(int last) {
        Channel<Integer> out = Channel.newRendezvousChannel();
        Threads.start(() -> {
            for (int i = 2; i <= last; i++) {
                out.send(i);
            }
            out.done();
        });
        return out;
    }

    private static Channel<Integer> without(int prime, Channel<Integer> in) {
        Channel<Integer> out = Channel.newRendezvousChannel();
        Threads.start(() -> {
            while (in.receiveOrClosed() instanceof Integer value) {
                if (value % prime != 0) {
                    out.send(value);
                }
            }
            out.done();
        });
        return out;
    }
}
