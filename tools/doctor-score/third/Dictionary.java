// problem: The pattern for an entry nests two repetitions that can match the same text. For an entry without its
//     full stop at the end, the engine tries all ways to share the text between them: one entry takes seconds.
// place: Entries.isWellFormed
// remedy: Write the pattern without overlapping repetitions (possessive quantifiers), or parse by hand; limit the
//     length.
// named: the CPU is used by the matching of a regular expression, at the place
// half: a computing thread, with neither the expression nor the place
// false: too many threads, a lock, polling
// shows: the slowest entry takes above 500 ms; the CPU of the program is about one processor or more
import java.lang.management.ManagementFactory;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

public class Dictionary {

    static final class Entries {
        private static final Pattern ENTRY = Pattern.compile("(?:[a-z]+[,; ]?.*)*: (?:.*[a-z ]+)*\\.");
        private final AtomicLong checked = new AtomicLong();
        private final AtomicLong slowest = new AtomicLong();

        boolean isWellFormed(String entry) {
            long start = System.nanoTime();
            boolean matches = ENTRY.matcher(entry).matches();
            slowest.accumulateAndGet((System.nanoTime() - start) / 1_000_000, Math::max);
            checked.incrementAndGet();
            return matches;
        }
    }

    private static String entry(int number) {
        String words = "a word, or several; with a meaning that some people know ";
        String text = "entry " + words.substring(0, 20) + ": " + words.repeat(2);
        return number % 15 == 14 ? text + words.repeat(3) : text + ".";
    }

    private static void editor(BlockingQueue<String> drafts, Entries entries, AtomicLong refused) {
        try {
            while (true) {
                if (!entries.isWellFormed(drafts.take())) {
                    refused.incrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var entries = new Entries();
        var refused = new AtomicLong();
        BlockingQueue<String> drafts = new LinkedBlockingQueue<>(200);
        for (int i = 0; i < 2; i++) {
            Thread.ofVirtual().name("editor-" + i).start(() -> editor(drafts, entries, refused));
        }
        Thread.ofVirtual().name("writers").start(() -> {
            try {
                for (int i = 0; ; i++) {
                    drafts.put(entry(i));
                    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 6));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        while (true) {
            Thread.sleep(1_000);
            long now = system.getProcessCpuTime();
            System.out.printf(
                    "checked %d, refused %d, slowest %d ms, waiting %d, CPU %d %%%n",
                    entries.checked.get(), refused.get(), entries.slowest.get(), drafts.size(),
                    (now - cpu) / 10_000_000);
            cpu = now;
        }
    }
}
