// healthy: 2,000 guests wait for news by long polls: each waits in a future for up to ten seconds and asks again when
//     the time is over. News come every two or three seconds for a part of them. Waits are long because there are no
//     news, all end by their timeout, and the number of threads stays the same.
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

public class Tearoom {

    static final class News {
        private final Map<Integer, CompletableFuture<String>> polls = new ConcurrentHashMap<>();

        String poll(int guest, int seconds) throws InterruptedException {
            CompletableFuture<String> poll = new CompletableFuture<>();
            polls.put(guest, poll);
            try {
                return poll.get(seconds, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                return null;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            } finally {
                polls.remove(guest, poll);
            }
        }

        void tell(int topic, String text) {
            List<Integer> guests = new ArrayList<>();
            for (Integer guest : polls.keySet()) {
                if (guest % 10 == topic) {
                    guests.add(guest);
                }
            }
            for (Integer guest : guests) {
                CompletableFuture<String> poll = polls.remove(guest);
                if (poll != null) {
                    poll.complete(text);
                }
            }
        }
    }

    record Guest(int number, News news, LongAdder read, LongAdder asked) {
        void sit() {
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(2_000));
                while (true) {
                    asked.increment();
                    String text = news.poll(number, 5 + number % 6);
                    if (text != null) {
                        read.increment();
                        Thread.sleep(ThreadLocalRandom.current().nextInt(50, 200));
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        News news = new News();
        LongAdder read = new LongAdder();
        LongAdder asked = new LongAdder();
        for (int i = 0; i < 2_000; i++) {
            Thread.ofVirtual().name("guest-" + i).start(new Guest(i, news, read, asked)::sit);
        }
        while (true) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            Thread.sleep(random.nextInt(2_000, 3_000));
            news.tell(random.nextInt(9), "scones are ready");
            System.out.println("asked " + asked + ", read " + read + ", polls " + news.polls.size());
        }
    }
}
