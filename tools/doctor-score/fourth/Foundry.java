// problem: Casting takes the monitor of the stock and then one of the four database connections; the inventory takes
//     a connection and then the monitor of the stock. When inventories hold all connections, nobody goes on.
// place: Casting.pour
// place: Inventory.count
// remedy: Take both in the same order everywhere: a connection first, or no connection under the monitor.
// named: threads that hold connections (permits of the pool) wait for a monitor whose holder waits for a connection: a
//     deadlock of pool and monitor, at the place
// half: only one side: the monitor is stuck with its holder waiting for the pool, or the pool is empty
// false: connections leaked, a slow database, CPU, a deadlock of two monitors
// shows: poured and counted stay the same
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Foundry {

    static final class Connection {
        int query(String sql) throws InterruptedException {
            Thread.sleep(ThreadLocalRandom.current().nextInt(2, 12));
            return sql.hashCode() & 0xff;
        }
    }

    static final class Connections {
        private final BlockingQueue<Connection> idle = new ArrayBlockingQueue<>(4);

        Connections() {
            for (int i = 0; i < 4; i++) {
                idle.add(new Connection());
            }
        }

        Connection borrow() throws InterruptedException {
            return idle.take();
        }

        void giveBack(Connection connection) {
            idle.add(connection);
        }
    }

    static final class Stock {
        private final Map<String, Integer> kilos = new HashMap<>();

        void add(String metal, int weight) {
            kilos.merge(metal, weight, Integer::sum);
        }

        List<String> metals() {
            return new ArrayList<>(kilos.keySet());
        }
    }

    record Casting(Connections connections, Stock stock, LongAdder poured) {
        void pour(String metal) throws InterruptedException {
            synchronized (stock) {
                stock.add(metal, -3);
                Connection connection = connections.borrow();
                try {
                    stock.add(metal, connection.query("insert into casts"));
                } finally {
                    connections.giveBack(connection);
                }
            }
            poured.increment();
        }
    }

    record Inventory(Connections connections, Stock stock, LongAdder counted) {
        void count() throws InterruptedException {
            Connection connection = connections.borrow();
            try {
                int rows = connection.query("select * from shelves");
                synchronized (stock) {
                    for (String metal : stock.metals()) {
                        stock.add(metal, rows);
                    }
                }
            } finally {
                connections.giveBack(connection);
            }
            counted.increment();
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private static void repeat(String name, int pause, Step step) {
        Thread.ofVirtual().name(name).start(() -> {
            try {
                while (true) {
                    step.run();
                    Thread.sleep(ThreadLocalRandom.current().nextInt(pause));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        Connections connections = new Connections();
        Stock stock = new Stock();
        LongAdder poured = new LongAdder();
        LongAdder counted = new LongAdder();
        LongAdder weighed = new LongAdder();
        List<String> metals = List.of("brass", "bronze", "iron", "tin");
        for (int i = 0; i < 16; i++) {
            String metal = metals.get(i % 4);
            repeat("caster-" + i, 120, () -> new Casting(connections, stock, poured).pour(metal));
            repeat("inventory-" + i, 120, new Inventory(connections, stock, counted)::count);
            repeat("scales-" + i, 60, weighed::increment);
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("poured " + poured + ", counted " + counted + ", weighed " + weighed);
        }
    }
}
