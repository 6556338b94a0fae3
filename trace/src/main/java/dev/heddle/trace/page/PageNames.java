package dev.heddle.trace.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Texts with numbers: each is in the page once.
final class PageNames {

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> all = new ArrayList<>();

    /// The number of a text.
    int of(String text) {
        return numbers.computeIfAbsent(text, it -> {
            all.add(it);
            return all.size() - 1;
        });
    }

    List<String> all() {
        return all;
    }
}
