// problem: A regular expression that cuts trailing blanks needs quadratic time for a text with many blanks in its
//     middle, so a few requests compute for seconds.
// place: Comments.clean
// place: Comments.post
// remedy: Cut the blanks by String.stripTrailing or a possessive expression, and limit the length of the input.

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/** A forum: people post comments, which are cleaned and stored. */
public final class Comments {

    private static final Pattern TRAILING_BLANKS = Pattern.compile("\\s+$");

    private final Queue<String> latest = new ConcurrentLinkedQueue<>();
    private final LongAdder posted = new LongAdder();

    static String clean(String text) {
        return TRAILING_BLANKS.matcher(text).replaceAll("");
    }

    void post(String text) throws InterruptedException {
        String cleaned = clean(text);
        Thread.sleep(3); // the insert
        latest.add(cleaned.substring(0, Math.min(40, cleaned.length())));
        if (posted.sum() > 100) {
            latest.poll();
        }
        posted.increment();
    }

    public static void main(String[] args) throws Exception {
        var forum = new Comments();
        try (var requests = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                int person = i;
                requests.submit(() -> {
                    for (int n = 0; ; n++) {
                        forum.post("comment " + n + " of person " + person + "  ");
                        Thread.sleep(30);
                    }
                });
            }
            for (int i = 0; i < 3; i++) { // three people who draw with blanks
                int person = i;
                requests.submit(() -> {
                    while (true) {
                        forum.post("person " + person + ":" + " ".repeat(60_000) + "<- look there");
                        Thread.sleep(20);
                    }
                });
            }
        }
    }
}
