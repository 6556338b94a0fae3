package dev.heddle.bench.heddle;

import static java.util.Objects.requireNonNull;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;

/// The prime sieve: a chain of filters, one goroutine for each prime, with unbuffered channels between them.
final class Sieve implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        Chan<Integer> numbers = numbersUpTo(job.width());
        int prime = 0;
        for (int i = 0; i < job.size(); i++) {
            prime = requireNonNull(numbers.receive());
            numbers = without(prime, numbers);
        }
        job.check(job.width(), prime); // the last number is the last prime
    }

    private static Chan<Integer> numbersUpTo(int last) {
        Chan<Integer> out = Chan.make();
        Go.go(() -> {
            for (int i = 2; i <= last; i++) {
                out.send(i);
            }
            out.close();
        });
        return out;
    }

    private static Chan<Integer> without(int prime, Chan<Integer> in) {
        Chan<Integer> out = Chan.make();
        Go.go(() -> {
            for (int value : in) {
                if (value % prime != 0) {
                    out.send(value);
                }
            }
            out.close();
        });
        return out;
    }
}
