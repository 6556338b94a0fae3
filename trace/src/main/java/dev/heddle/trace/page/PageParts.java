package dev.heddle.trace.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Schedulers, processors and machines of a page, numbered from 0 in the order of their first mention. A scheduler that
/// no event mentions has no place in the page.
final class PageParts {

    private record Part(int scheduler, int number) {}

    /// Names and processors by the scheduler's number in the recording.
    record Scheduler(String name, int procs) {}

    private final Map<Integer, Scheduler> known;
    private final Map<Integer, Integer> schedulers = new LinkedHashMap<>();
    private final Map<Part, Integer> processors = new LinkedHashMap<>();
    private final Map<Part, Integer> machines = new LinkedHashMap<>();

    PageParts(Map<Integer, Scheduler> known) {
        this.known = new HashMap<>(known);
    }

    /// An event of this scheduler was read: all its processors are shown.
    void mention(int scheduler) {
        if (!schedulers.containsKey(scheduler)) {
            schedulers.put(scheduler, schedulers.size());
            grow(scheduler, of(scheduler).procs());
        }
    }

    /// It has so many processors now.
    void grow(int scheduler, int procs) {
        for (int i = 0; i < procs; i++) {
            processor(scheduler, i);
        }
    }

    private Scheduler of(int scheduler) {
        return known.getOrDefault(scheduler, new Scheduler("scheduler " + scheduler, 0));
    }

    int scheduler(int number) {
        mention(number);
        return schedulers.getOrDefault(number, 0);
    }

    int processor(int scheduler, int number) {
        mention(scheduler);
        return processors.computeIfAbsent(new Part(scheduler, number), _ -> processors.size());
    }

    int machine(int scheduler, int number) {
        mention(scheduler);
        return machines.computeIfAbsent(new Part(scheduler, number), _ -> machines.size());
    }

    List<String> schedulerNames() {
        return schedulers.keySet().stream().map(it -> of(it).name()).toList();
    }

    /// How many processors each scheduler had at the beginning.
    List<Integer> procs() {
        return schedulers.keySet().stream().map(it -> of(it).procs()).toList();
    }

    /// Pairs of scheduler and number, in the order in which they are shown.
    List<List<Integer>> processors() {
        List<Part> all = new ArrayList<>(processors.keySet());
        all.sort(shown());
        return pairs(all);
    }

    List<List<Integer>> machines() {
        return pairs(new ArrayList<>(machines.keySet()));
    }

    /// Where a processor is in [#processors], by the number it has here.
    int[] places() {
        List<Part> all = new ArrayList<>(processors.keySet());
        int[] order = IntStream.range(0, all.size())
                .boxed()
                .sorted((x, y) -> shown().compare(all.get(x), all.get(y)))
                .mapToInt(Integer::intValue)
                .toArray();
        int[] places = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            places[order[i]] = i;
        }
        return places;
    }

    private Comparator<Part> shown() {
        return Comparator.<Part>comparingInt(it -> schedulers.getOrDefault(it.scheduler, 0))
                .thenComparingInt(Part::number);
    }

    private List<List<Integer>> pairs(List<Part> parts) {
        return parts.stream()
                .map(it -> List.of(schedulers.getOrDefault(it.scheduler, 0), it.number))
                .toList();
    }
}
