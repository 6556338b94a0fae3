// healthy: 40 virtual threads read and write a database through a Hikari pool of 10, with pauses, so that a connection
//     is nearly always free. The database is H2, or PostgreSQL if DOCTOR_SCORE_JDBC has its URL.
// jars: tools/doctor-score/jdbc

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Accounts: most requests read one, some move money between two. */
public final class Jdbc {

    private static final int ACCOUNTS = 1_000;

    private static void create(HikariDataSource pool) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("drop table if exists account");
            statement.execute("create table account(id int primary key, cents bigint not null)");
            for (int id = 0; id < ACCOUNTS; id++) {
                statement.execute("insert into account values (" + id + ", 100000)");
            }
        }
    }

    private static long read(HikariDataSource pool, int id) throws SQLException {
        try (var connection = pool.getConnection();
                var query = connection.prepareStatement("select cents from account where id = ?")) {
            query.setInt(1, id);
            try (var rows = query.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    private static void move(HikariDataSource pool, int from, int to) throws SQLException {
        try (var connection = pool.getConnection();
                var update = connection.prepareStatement("update account set cents = cents + ? where id = ?")) {
            connection.setAutoCommit(false);
            for (int id : new int[] {Math.min(from, to), Math.max(from, to)}) { // in one order: no deadlock
                update.setInt(1, id == from ? -5 : 5);
                update.setInt(2, id);
                update.executeUpdate();
            }
            connection.commit();
        }
    }

    public static void main(String[] args) throws Exception {
        var config = new HikariConfig();
        String url = System.getenv("DOCTOR_SCORE_JDBC");
        config.setJdbcUrl(url == null ? "jdbc:h2:mem:bank" : url);
        config.setMaximumPoolSize(10);
        try (var pool = new HikariDataSource(config);
                var requests = Executors.newVirtualThreadPerTaskExecutor()) {
            create(pool);
            System.out.println("bank open: " + config.getJdbcUrl());
            for (int i = 0; i < 40; i++) {
                int client = i;
                requests.submit(() -> {
                    for (long n = 0; ; n++) {
                        var random = ThreadLocalRandom.current();
                        if (n % 5 == 0) {
                            move(pool, random.nextInt(ACCOUNTS), client);
                        } else {
                            read(pool, random.nextInt(ACCOUNTS));
                        }
                        Thread.sleep(20 + random.nextInt(20));
                    }
                });
            }
        }
    }
}
