// problem: Every call sets a deadline of ten minutes, and no deadline is cancelled when its call ends, so thousands of
//     timers pile up and keep the transcripts of the ended calls in the heap.
// place: Deadlines.watch
// place: Hotline.call
// remedy: Cancel the deadline when the call ends, for example with a future and orTimeout, and let the task hold only
//     what it needs.

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A telephone hotline: each call writes a transcript and is cut off after ten minutes. */
public final class Hotline {

    private final Deadlines deadlines = new Deadlines();
    private final LongAdder ended = new LongAdder();
    private final LongAdder cutOff = new LongAdder();

    /** A call with its notes. */
    private final class Call {
        private final char[] transcript = new char[2_048];
        private volatile boolean hasEnded;

        void talk(int customer) throws InterruptedException {
            for (int i = 0; i < transcript.length; i += 64) {
                transcript[i] = (char) ('a' + customer % 26);
            }
            Thread.sleep(8 + customer % 8);
            hasEnded = true;
        }

        void hangUp() {
            if (!hasEnded) {
                cutOff.increment();
            }
        }
    }

    void call(int customer) throws InterruptedException {
        var call = new Call();
        deadlines.watch(call::hangUp);
        call.talk(customer);
        ended.increment();
    }

    public static void main(String[] args) {
        var hotline = new Hotline();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 45; i++) {
                int customer = i;
                threads.submit(() -> {
                    while (true) {
                        hotline.call(customer);
                        Thread.sleep(10);
                    }
                });
            }
        }
    }
}

/** Ends what lasts too long. */
final class Deadlines {

    private final Executor later = CompletableFuture.delayedExecutor(10, TimeUnit.MINUTES);

    void watch(Runnable end) {
        later.execute(end);
    }
}
