// problem: Exports of whole districts take connections from the pool of the short queries and keep each one for many
//     seconds, so the pool is empty and the queries wait.
// place: Links.take
// place: Cadastre.export
// place: Cadastre.owner
// remedy: Give the exports a small pool of their own, or return the connection after each page of an export.

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** A land register: clerks ask for the owner of a plot, offices export districts, and visitors see the map. */
public final class Cadastre {

    private static final int EXPORTS = 8;

    private final Links links = new Links(8);
    private final LongAdder answers = new LongAdder();
    private final LongAdder tiles = new LongAdder();

    String owner(int plot) throws InterruptedException {
        Link link = links.take();
        try {
            String name = link.query("owner of " + plot, 6);
            answers.increment();
            return name;
        } finally {
            links.giveBack(link);
        }
    }

    int export(int district) throws InterruptedException {
        Link link = links.take();
        try {
            int characters = 0;
            for (int page = 0; page < 60; page++) {
                characters += link.query("district " + district + " page " + page, 150).length();
            }
            return characters;
        } finally {
            links.giveBack(link);
        }
    }

    /** The map comes from memory. */
    int tile(int x, int y) {
        int colour = 17;
        for (int i = 0; i < 4_000; i++) {
            colour = colour * 31 + x * i + y;
        }
        tiles.increment();
        return colour;
    }

    public static void main(String[] args) {
        var register = new Cadastre();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < EXPORTS; i++) {
                int district = i;
                threads.submit(() -> {
                    while (register.export(district) > 0) {
                        Thread.sleep(300);
                    }
                    return null;
                });
            }
            for (int i = 0; i < 50; i++) {
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(20);
                        register.owner(ThreadLocalRandom.current().nextInt(100_000));
                    }
                });
                threads.submit(() -> {
                    while (true) {
                        Thread.sleep(25);
                        register.tile(ThreadLocalRandom.current().nextInt(90), 4);
                    }
                });
            }
        }
    }
}

/** A connection to the database of the register. */
final class Link {

    String query(String text, int millis) throws InterruptedException {
        Thread.sleep(millis); // the database works
        return text + ": ok";
    }
}

/** The free connections. */
final class Links {

    private final Deque<Link> free = new ArrayDeque<>();

    Links(int size) {
        for (int i = 0; i < size; i++) {
            free.push(new Link());
        }
    }

    synchronized Link take() throws InterruptedException {
        while (free.isEmpty()) {
            wait();
        }
        return free.pop();
    }

    synchronized void giveBack(Link link) {
        free.push(link);
        notify();
    }
}
