// problem: Merging two lists of names searches the result from its beginning for each name, which takes quadratic time,
//     so a few imports compute for seconds and keep the processors busy.
// place: Names.merge
// place: Guestlist.importNames
// remedy: Use a LinkedHashSet to find duplicates.

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Guest lists of events: organisers import names from files, doormen look guests up. */
public final class Guestlist {

    private final LongAdder guests = new LongAdder();
    private final LongAdder lookups = new LongAdder();

    void importNames(int size) {
        List<String> file = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            file.add("guest-" + ThreadLocalRandom.current().nextInt(10_000_000));
        }
        guests.add(Names.merge(List.of("host", "band"), file).size());
    }

    void lookUp(int ticket) throws InterruptedException {
        Thread.sleep(4); // the ticket database
        lookups.add(ticket % 2);
    }

    public static void main(String[] args) {
        var list = new Guestlist();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 60; i++) {
                int door = i;
                threads.submit(() -> {
                    for (int ticket = door; ; ticket++) {
                        list.lookUp(ticket);
                        Thread.sleep(15);
                    }
                });
            }
            for (int i = 0; i < 3; i++) {
                threads.submit(() -> {
                    while (true) {
                        list.importNames(40_000);
                        Thread.sleep(100);
                    }
                });
            }
        }
    }
}

/** Lists of names without duplicates. */
final class Names {

    static List<String> merge(List<String> first, List<String> second) {
        List<String> result = new ArrayList<>(first);
        for (String name : second) {
            if (!result.contains(name)) {
                result.add(name);
            }
        }
        return result;
    }
}
