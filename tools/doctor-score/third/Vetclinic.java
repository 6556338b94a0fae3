// problem: A caller gives up after 400 ms, cancels the future and asks again. Cancelling a CompletableFuture does
//     not stop its work: all six workers of the laboratory are busy with samples that no caller waits for any more.
// place: Laboratory.analyse
// place: Clinic.examine
// remedy: Run the sample as a task whose cancellation interrupts it (Future.cancel(true) of an executor) or that
//     checks the deadline before it starts; bound the queue; wait between attempts.
// named: the laboratory's workers are saturated by work that was given up (cancelled or timed out), at one of the
//     places
// half: the laboratory's pool is saturated, slow or its queue grows, without the abandoned work
// false: a lock, a leak of workers, too many threads, a deadlock
// shows: given up grows and answered hardly does; queued is above 30
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

public class Vetclinic {

    record Sample(String animal, int attempt) {}

    static final class Laboratory {
        final ThreadPoolExecutor workers = (ThreadPoolExecutor)
                Executors.newFixedThreadPool(6, Thread.ofVirtual().name("lab-", 0).factory());
        final LongAdder analysed = new LongAdder();

        CompletableFuture<String> submit(Sample sample) {
            return CompletableFuture.supplyAsync(() -> analyse(sample), workers);
        }

        private String analyse(Sample sample) {
            try {
                for (int step = 0; step < 5; step++) {
                    Thread.sleep(60); // the device
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            analysed.increment();
            return sample.animal() + " is well";
        }
    }

    static final class Clinic {
        private final Laboratory laboratory = new Laboratory();
        private final LongAdder answered = new LongAdder();
        private final LongAdder givenUp = new LongAdder();

        void examine(String animal) throws InterruptedException, ExecutionException {
            for (int attempt = 1; attempt <= 4; attempt++) {
                CompletableFuture<String> result = laboratory.submit(new Sample(animal, attempt));
                try {
                    result.get(400, TimeUnit.MILLISECONDS);
                    answered.increment();
                    return;
                } catch (TimeoutException e) {
                    result.cancel(true);
                    givenUp.increment();
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var clinic = new Clinic();
        for (int i = 0; i < 14; i++) {
            String animal = (i % 2 == 0 ? "cat-" : "dog-") + i;
            Thread.ofVirtual().name(animal).start(() -> {
                try {
                    while (true) {
                        clinic.examine(animal);
                        Thread.sleep(50);
                    }
                } catch (InterruptedException | ExecutionException e) {
                    System.out.println(animal + " goes home: " + e);
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "answered %d, given up %d, analysed %d, queued %d%n",
                    clinic.answered.sum(), clinic.givenUp.sum(), clinic.laboratory.analysed.sum(),
                    clinic.laboratory.workers.getQueue().size());
        }
    }
}
