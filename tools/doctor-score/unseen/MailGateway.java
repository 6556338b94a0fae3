// problem: A task of a pool of 6 threads submits a second task to the same pool and waits for it; all 6 threads wait
//     for tasks that no thread is left to run.
// place: MailGateway.deliver
// remedy: Do not wait for a task of the same bounded pool inside one of its tasks: call it directly, or use a second
//     pool or a virtual thread per task.

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Sends mail for other services. The number of workers is limited, as the mail provider wants it. */
public final class MailGateway {

    record Mail(int to, String text) {}

    private final ExecutorService workers =
            Executors.newFixedThreadPool(6, Thread.ofVirtual().name("worker-", 0).factory());
    private final LongAdder sent = new LongAdder();

    Future<Boolean> send(Mail mail) {
        return workers.submit(() -> deliver(mail));
    }

    private boolean deliver(Mail mail) throws ExecutionException, InterruptedException {
        Future<String> signature = workers.submit(() -> sign(mail));
        Thread.sleep(3); // connects to the provider meanwhile
        String signed = mail.text() + signature.get();
        sent.increment();
        return signed.length() < 10_000;
    }

    private String sign(Mail mail) throws InterruptedException {
        Thread.sleep(2);
        return Integer.toHexString(mail.hashCode());
    }

    private void callLikeTheShop(int seed) {
        try {
            for (int n = 0; ; n++) {
                send(new Mail(seed * 1_000 + n, "your order " + n + " is on its way")).get();
                Thread.sleep(4);
            }
        } catch (ExecutionException | InterruptedException e) {
            System.err.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        var gateway = new MailGateway();
        for (int i = 0; i < 64; i++) {
            int seed = i;
            Thread.startVirtualThread(() -> gateway.callLikeTheShop(seed));
        }
        while (true) {
            Thread.sleep(10_000);
            System.out.println(gateway.sent.sum() + " mails");
        }
    }
}
