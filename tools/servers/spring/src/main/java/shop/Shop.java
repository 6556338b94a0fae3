package shop;

import java.util.Map;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A shop with a database behind it, and one endpoint that computes. */
@SpringBootApplication
@RestController
public class Shop implements CommandLineRunner {

    private static final long BURN_NANOS = 50_000_000;

    private final JdbcTemplate jdbc;

    public Shop(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public static void main(String[] args) {
        SpringApplication.run(Shop.class, args);
    }

    @Override
    public void run(String... args) {
        jdbc.execute("create table item(id int primary key, name varchar(40), price decimal(10, 2))");
        jdbc.execute("insert into item select x, concat('item ', x), x / 8.0 from system_range(1, 1000)");
        System.out.println("shop open");
    }

    @GetMapping("/item/{id}")
    public Map<String, Object> item(@PathVariable("id") int id) {
        return jdbc.queryForMap("select id, name, price from item where id = ?", id);
    }

    /** Computes for a while, without a call that could yield. */
    @GetMapping("/burn")
    public String burn() {
        long x = 1;
        long end = System.nanoTime() + BURN_NANOS;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 10_000; i++) {
                x = x * 31 + i;
            }
        }
        return Long.toString(x);
    }
}
