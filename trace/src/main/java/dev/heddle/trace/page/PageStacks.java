package dev.heddle.trace.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/// The stacks that a page uses. A frame is the number of a string.
final class PageStacks {

    private final LongFunction<List<String>> recorded;
    private final PageNames strings;
    private final Map<Long, Integer> numbers = new HashMap<>();
    private final List<List<Integer>> all = new ArrayList<>();

    /// @param recorded the frames of a stack in the recording; none if it is unknown
    PageStacks(LongFunction<List<String>> recorded, PageNames strings) {
        this.recorded = recorded;
        this.strings = strings;
    }

    /// 1 + the number of a stack in the page; 0 if the recording does not have it.
    int of(long number) {
        return numbers.computeIfAbsent(number, it -> {
            List<String> frames = recorded.apply(it);
            if (frames.isEmpty()) {
                return 0;
            }
            all.add(frames.stream().map(strings::of).toList());
            return all.size();
        });
    }

    List<List<Integer>> all() {
        return all;
    }
}
