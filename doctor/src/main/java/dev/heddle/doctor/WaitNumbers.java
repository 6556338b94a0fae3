package dev.heddle.doctor;

import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.WaitDetail;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The numbers by which the waits of a goroutine differ.
final class WaitNumbers {

    private WaitNumbers() {}

    /// The numbers of the waits in a dump, by goroutine: a goroutine with the same number in the next dump
    /// has not been woken meanwhile. Known for waits at synchronizers, conditions and transfer queues.
    static Map<Long, Integer> of(Dump dump) {
        Map<Long, Integer> numbers = new HashMap<>();
        for (Blocker blocker : dump.blockers()) {
            blocker.line().forEach(it -> numbers.put(it.thread(), it.number()));
        }
        for (WaitDetail wait : dump.surroundings().waits()) {
            if (wait.waitId() != 0) {
                numbers.put(wait.thread(), wait.waitId());
            }
        }
        return numbers;
    }

    /// The threads whose waits have the same number in all dumps: they have not been woken in between.
    static Set<Long> sameIn(List<Dump> dumps) {
        Map<Long, Integer> last = of(dumps.getLast());
        Set<Long> same = new HashSet<>(last.keySet());
        for (Dump dump : dumps) {
            Map<Long, Integer> then = of(dump);
            same.removeIf(it -> !Objects.equals(then.get(it), last.get(it)));
        }
        return same;
    }
}
