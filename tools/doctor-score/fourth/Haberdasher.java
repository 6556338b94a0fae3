// problem: Remarks of orders are searched for a discount with a regular expression of several greedy parts. A long
//     remark without a match makes it go back and forth for many seconds, and such remarks hold the carriers and
//     use up the CPU that other orders need.
// place: Remarks.discount
// remedy: Write the expression without adjacent greedy parts (or search with indexOf), and limit the length of the
//     input; let CPU-bound work run in a small pool of platform threads.
// named: CPU-bound work (a regular expression) holds carriers for seconds, at the place
// half: carriers are held or virtual threads start late, without the place; or CPU is high without the carriers
// false: a lock, a pool, a deadlock, slow I/O, busy waiting
// shows: searching is four nearly always and CPU is at the limit; sold goes on
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Haberdasher {

    record Order(String article, String remark) {}

    static final class Remarks {
        private static final Pattern DISCOUNT = Pattern.compile("[a-z ,]*[a-z ,]*[a-z]* rebate=(\\d+)");

        int discount(Order order) {
            Matcher matcher = DISCOUNT.matcher(order.remark());
            return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
        }
    }

    static final class Shop {
        private static final String LETTER = "please send the blue ribbon to my sister, as before, ".repeat(24);

        private final Remarks remarks = new Remarks();
        private final LongAdder sold = new LongAdder();
        private final AtomicLong late = new AtomicLong();
        private final AtomicInteger searching = new AtomicInteger();

        void order(Order order) throws InterruptedException {
            long start = System.nanoTime();
            Thread.sleep(5); // the stock
            late.accumulateAndGet((System.nanoTime() - start) / 1_000_000 - 5, Math::max);
            searching.incrementAndGet();
            remarks.discount(order);
            searching.decrementAndGet();
            sold.increment();
        }

        void serve(int customer) {
            try {
                while (true) {
                    String remark = customer % 20 == 3 ? LETTER : "with regular rebate=5";
                    order(new Order("ribbon", remark));
                    Thread.sleep(ThreadLocalRandom.current().nextInt(20, 60));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Shop shop = new Shop();
        for (int i = 0; i < 80; i++) {
            int customer = i;
            Thread.ofVirtual().name("customer-" + i).start(() -> shop.serve(customer));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("sold " + shop.sold + ", searching " + shop.searching + ", late "
                    + shop.late.getAndSet(0) + " ms");
        }
    }
}
