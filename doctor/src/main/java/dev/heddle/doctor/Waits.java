package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.WaitDetail;
import java.util.HashMap;
import java.util.Map;

/// Details of waits in dumps.
final class Waits {

    private Waits() {}

    /// The details that a dump has, by goroutine.
    static Map<Long, WaitDetail> byId(Dump dump) {
        Map<Long, WaitDetail> found = new HashMap<>();
        dump.surroundings().waits().forEach(it -> found.put(it.thread(), it));
        return found;
    }
}
