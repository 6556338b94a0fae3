// problem: An inheritable thread-local copies the whole guest profile into every thread that a request starts, so the
//     heap is full of copies that most threads never read.
// place: GuestContext.childValue
// place: Concierge.arrive
// place: Concierge.watch
// remedy: Pass what a thread needs as a parameter or by a ScopedValue, or start the threads without inheriting
//     thread-locals.

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** A hotel: for each guest, some threads wait for a taxi, a table, a parcel and so on. */
public final class Concierge {

    private final GuestContext context = new GuestContext();
    private final LongAdder wishes = new LongAdder();

    void arrive(int guest) {
        Map<String, String> profile = new HashMap<>();
        for (int i = 0; i < 500; i++) {
            profile.put("preference " + i, "since " + guest + " nights: " + i);
        }
        context.set(profile);
        for (String wish : new String[] {"taxi", "table", "parcel", "laundry"}) {
            Thread.ofVirtual().name(wish + " of " + guest).start(() -> watch(wish, guest));
        }
    }

    private void watch(String wish, int guest) {
        try {
            Thread.sleep(Duration.ofSeconds(10 + guest % 5)); // until the wish is fulfilled
            wishes.add(wish.length());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        var hotel = new Concierge();
        for (int i = 0; ; i++) {
            int guest = i;
            Thread.startVirtualThread(() -> hotel.arrive(guest));
            if (guest > 200) {
                Thread.sleep(10);
            }
        }
    }
}

/** The profile of the guest for whom a thread works. A thread may change its copy. */
final class GuestContext extends InheritableThreadLocal<Map<String, String>> {

    @Override
    protected Map<String, String> childValue(Map<String, String> profile) {
        if (profile == null) {
            return null;
        }
        Map<String, String> copy = new HashMap<>();
        profile.forEach((key, value) -> copy.put(key, value + ";"));
        return copy;
    }
}
