package dev.heddle.internal.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Lists of strings that occur many times in one document, such as stacks: each is written once and then named by its
/// index. A recording of 5,000 goroutines would have a hundred megabytes without it.
public final class SharedLists {

    /// More would take memory for little gain: further lists are written where they occur.
    private static final int MAX = 10_000;

    private final Map<List<?>, Integer> indices = new HashMap<>();
    private final List<List<?>> added = new ArrayList<>();

    /// The index that stands for the list; -1 if the list has to be written out.
    int indexOf(List<?> list) {
        if (list.isEmpty() || !(list.getFirst() instanceof String)) {
            return -1;
        }
        Integer known = indices.get(list);
        if (known != null) {
            return known;
        }
        int index = indices.size();
        if (index == MAX || !list.stream().allMatch(String.class::isInstance)) {
            return -1;
        }
        indices.put(list, index);
        added.add(list);
        return index;
    }

    /// The lists that were new since the last call, in the order of their indices.
    public List<List<?>> takeAdded() {
        List<List<?>> taken = List.copyOf(added);
        added.clear();
        return taken;
    }
}
