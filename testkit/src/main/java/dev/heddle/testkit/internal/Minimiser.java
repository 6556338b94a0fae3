package dev.heddle.testkit.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Finds few deviations from round robin that still make a test fail: removes halves, quarters and so on, as long as
/// the failure stays the same (delta debugging, Zeller 1999).
final class Minimiser {

    /// Bounds the time for a long schedule; what is left then is printed as it is.
    private static final int MOST_RUNS = 500;

    private static final long MOST_NANOS = 5_000_000_000L;

    private final Predicate<SortedMap<Integer, Integer>> stillFails;
    private final long start = System.nanoTime();
    private int runs;

    /// @param stillFails runs a schedule
    Minimiser(Predicate<SortedMap<Integer, Integer>> stillFails) {
        this.stillFails = stillFails;
    }

    int runs() {
        return runs;
    }

    private boolean mayGoOn() {
        return runs < MOST_RUNS && System.nanoTime() - start < MOST_NANOS;
    }

    /// @param failing deviations that fail
    SortedMap<Integer, Integer> minimise(SortedMap<Integer, Integer> failing) {
        List<Map.Entry<Integer, Integer>> kept = new ArrayList<>(failing.entrySet());
        int parts = 2;
        while (!kept.isEmpty() && mayGoOn()) {
            int length = Math.max(1, kept.size() / parts);
            List<Map.Entry<Integer, Integer>> fewer = withoutOnePart(kept, length);
            if (fewer != null) {
                kept = fewer;
                parts = Math.max(2, parts - 1);
            } else if (length == 1) {
                break;
            } else {
                parts = Math.min(kept.size(), 2 * parts);
            }
        }
        return toMap(kept);
    }

    private @Nullable List<Map.Entry<Integer, Integer>> withoutOnePart(
            List<Map.Entry<Integer, Integer>> all, int length) {
        for (int from = 0; from < all.size() && mayGoOn(); from += length) {
            List<Map.Entry<Integer, Integer>> rest = new ArrayList<>(all.subList(0, from));
            rest.addAll(all.subList(Math.min(all.size(), from + length), all.size()));
            runs++;
            if (stillFails.test(toMap(rest))) {
                return rest;
            }
        }
        return null;
    }

    private static SortedMap<Integer, Integer> toMap(List<Map.Entry<Integer, Integer>> entries) {
        SortedMap<Integer, Integer> map = new TreeMap<>();
        entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
        return map;
    }
}
