// problem: Five times a second, a sweep starts a thread for every open reminder, also for those whose last attempt
//     still waits for its receipt, so the threads pile up without limit.
// place: Reminders.sweep
// place: Reminders.send
// place: Provider.deliver
// remedy: Mark a reminder as being sent and leave it out of the sweep, and limit the number of attempts at once.

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Sends reminders by text message, and keeps a reminder until the provider has confirmed it. */
public final class Reminders {

    record Reminder(int patient, String text) {}

    private final ConcurrentLinkedQueue<Reminder> open = new ConcurrentLinkedQueue<>();
    private final Provider provider = new Provider();
    private final LongAdder confirmed = new LongAdder();
    private final LongAdder appointments = new LongAdder();

    void sweep() {
        for (Reminder reminder : open) {
            Thread.startVirtualThread(() -> send(reminder));
        }
    }

    private void send(Reminder reminder) {
        try {
            if (provider.deliver(reminder.text())) {
                open.remove(reminder);
                confirmed.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void makeAppointment(int patient) throws InterruptedException {
        Thread.sleep(5); // the calendar
        appointments.add(patient % 2);
    }

    public static void main(String[] args) {
        var practice = new Reminders();
        for (String text : List.of("tomorrow at 9", "tomorrow at 10", "bring your card")) {
            for (int patient = 0; patient < 40; patient++) {
                practice.open.add(new Reminder(patient, text));
            }
        }
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        clock.scheduleAtFixedRate(practice::sweep, 0, 200, TimeUnit.MILLISECONDS);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                int patient = i;
                threads.submit(() -> {
                    while (true) {
                        practice.makeAppointment(patient);
                        Thread.sleep(20);
                    }
                });
            }
        }
    }
}

/** The company that sends text messages. Today its receipts do not arrive. */
final class Provider {

    private final SynchronousQueue<String> receipts = new SynchronousQueue<>();

    boolean deliver(String text) throws InterruptedException {
        return !text.isEmpty() && receipts.poll(60, TimeUnit.SECONDS) != null;
    }
}
