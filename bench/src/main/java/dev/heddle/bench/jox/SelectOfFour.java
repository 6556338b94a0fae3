package dev.heddle.bench.jox;

import static com.softwaremill.jox.Select.select;

import com.softwaremill.jox.Channel;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import dev.heddle.bench.threads.Threads;

/// One virtual thread receives from four rendezvous channels, whichever is ready; four others send.
final class SelectOfFour implements Program {

    @Override
    public void run(Job job) throws InterruptedException {
        int each = job.size() / 4;
        Channel<Integer> a = numbersUpTo(each);
        Channel<Integer> b = numbersUpTo(each);
        Channel<Integer> c = numbersUpTo(each);
        Channel<Integer> d = numbersUpTo(each);
        long sum = 0;
        for (int i = 0; i < 4 * each; i++) {
            sum += select(a.receiveClause(), b.receiveClause(), c.receiveClause(), d.receiveClause());
        }
        job.check(4L * each * (each + 1) / 2, sum);
    }

    private static Channel<Integer> numbersUpTo(int last) {
        Channel<Integer> out = Channel.newRendezvousChannel();
        Threads.start(() -> {
            for (int i = 1; i <= last; i++) {
                out.send(i);
            }
        });
        return out;
    }
}
