package dev.heddle.bench.heddle;

import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Select;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.Objects;

/// One goroutine receives from four unbuffered channels, whichever is ready; four others send.
final class SelectOfFour implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        int each = job.size() / 4;
        var a = receive(numbersUpTo(each));
        var b = receive(numbersUpTo(each));
        var c = receive(numbersUpTo(each));
        var d = receive(numbersUpTo(each));
        long sum = 0;
        for (int i = 0; i < 4 * each; i++) {
            sum += value(select(a, b, c, d));
        }
        job.check(4L * each * (each + 1) / 2, sum);
    }

    private static int value(Select.Case chosen) {
        return (Integer) Objects.requireNonNull(((Select.Receive<?>) chosen).value());
    }

    private static Chan<Integer> numbersUpTo(int last) {
        Chan<Integer> out = Chan.make();
        Go.go(() -> {
            for (int i = 1; i <= last; i++) {
                out.send(i);
            }
        });
        return out;
    }
}
