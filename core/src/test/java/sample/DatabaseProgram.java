package sample;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Some work for a database in the same JVM, by several virtual threads. Prints what came out.
public final class DatabaseProgram {

    private static final String URL = "jdbc:h2:mem:sample;DB_CLOSE_DELAY=-1";

    private DatabaseProgram() {}

    public static void main(String[] args) throws Exception {
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table item(id int primary key, kind int, name varchar(40), price decimal(10, 2))");
            statement.execute("create index by_kind on item(kind)");
            statement.execute(
                    "insert into item select x, mod(x, 17), concat('item ', x), x / 8.0 from system_range(1, 5000)");
        }
        List<Future<String>> answers = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int kind = 0; kind < 8; kind++) {
                int wanted = kind;
                answers.add(executor.submit(() -> answer(wanted)));
            }
        }
        for (Future<String> answer : answers) {
            System.out.println(answer.get());
        }
    }

    private static String answer(int kind) throws SQLException {
        String query =
                "select count(*), sum(a.price), max(b.name) from item a join item b on a.id = b.id + 1 where a.kind = "
                        + kind + " and regexp_like(b.name, '.*[1-9]$')";
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return kind + ": " + rows.getLong(1) + " " + rows.getBigDecimal(2) + " " + rows.getString(3);
        }
    }
}
