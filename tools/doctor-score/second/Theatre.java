// problem: A reservation publishes an event while it holds the monitor of the seating plan, and the event bus calls its
//     listeners while it holds its own monitor; a listener needs the plan, so both wait for each other forever.
// place: Seating.reserve
// place: Seating.paid
// place: Bus.publish
// remedy: Publish after the monitor of the plan is released, and call the listeners without the monitor of the bus.

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Sells theatre tickets: a customer reserves a seat, the payment arrives later. Others read the programme. */
public final class Theatre {

    private final Bus bus = new Bus();
    private final Seating seating = new Seating(bus);
    private final LongAdder read = new LongAdder();

    void readProgramme(int page) throws InterruptedException {
        Thread.sleep(6); // the page comes from the file server
        read.add(page);
    }

    public static void main(String[] args) {
        var theatre = new Theatre();
        theatre.bus.subscribe(theatre.seating::paid);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 25; i++) {
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(ThreadLocalRandom.current().nextInt(5, 30));
                        theatre.seating.reserve(ThreadLocalRandom.current().nextInt(900));
                    }
                });
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(ThreadLocalRandom.current().nextInt(5, 30)); // the bank reports a payment
                        theatre.bus.publish(new Event("paid", ThreadLocalRandom.current().nextInt(900)));
                    }
                });
                threads.submit(() -> {
                    for (int page = 0; ; page++) {
                        theatre.readProgramme(page);
                        Thread.sleep(20);
                    }
                });
            }
        }
    }
}

record Event(String kind, int seat) {}

/** The state of each seat. */
final class Seating {

    private final Map<Integer, String> seats = new HashMap<>();
    private final Bus bus;

    Seating(Bus bus) {
        this.bus = bus;
    }

    synchronized void reserve(int seat) {
        if (!"sold".equals(seats.get(seat))) {
            seats.put(seat, "reserved");
            bus.publish(new Event("reserved", seat));
        }
    }

    void paid(Event event) {
        if (!event.kind().equals("paid")) {
            return;
        }
        synchronized (this) {
            seats.replace(event.seat(), "reserved", "sold");
            if (seats.size() == 900) {
                seats.clear(); // the next evening
            }
        }
    }
}

/** Tells all listeners about an event, in the order of the events. */
final class Bus {

    private final List<Consumer<Event>> listeners = new ArrayList<>();

    synchronized void subscribe(Consumer<Event> listener) {
        listeners.add(listener);
    }

    synchronized void publish(Event event) {
        listeners.forEach(it -> it.accept(event));
    }
}
