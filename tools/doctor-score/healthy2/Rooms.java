// healthy: Waves of 24 requests share a pool of 8 connections. In each wave some requests wait for a connection, for a
//     few milliseconds and never longer; between the waves the pool is free.

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Books meeting rooms. The doors of an office ask for their plans together, some dozens of times a second. */
public final class Rooms {

    private record Connection(int number) {
        String plan(int door) throws InterruptedException {
            Thread.sleep(3); // the database
            return "plan of door " + door + " by connection " + number;
        }
    }

    private final BlockingQueue<Connection> pool = new ArrayBlockingQueue<>(8);
    private final LongAdder characters = new LongAdder();

    private Rooms() {
        for (int i = 0; i < 8; i++) {
            pool.add(new Connection(i));
        }
    }

    void show(int door) throws InterruptedException {
        Connection connection = pool.take();
        try {
            characters.add(connection.plan(door).length());
        } finally {
            pool.add(connection);
        }
    }

    public static void main(String[] args) throws Exception {
        var rooms = new Rooms();
        while (true) {
            try (var wave = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 24; i++) {
                    int door = i;
                    wave.submit(() -> {
                        rooms.show(door);
                        return null;
                    });
                }
            }
            Thread.sleep(15);
        }
    }
}
