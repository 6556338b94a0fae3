package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.QueueStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One queue at three or more dumps, and whether it only grows.
///
/// @param looks the queue at each dump that shows it
record QueueGrowth(List<QueueStats> looks) {

    /// Entries. A smaller growth is a burst that the consumers are about to work off.
    private static final long GROWN = 500;

    private static final double PER_SECOND = 100;

    /// A slower growth counts as well if it is steady: in each part of the time half of its fair share or
    /// more, and never a step back by more than a tenth of it. A burst is not.
    private static final long STEADY_GROWN = 100;

    private static final double STEADY_PER_SECOND = 20;

    private static final int STEADY_PARTS = 5;

    private static final int DUMPS = 3;
    private static final int PARTS = 2;

    /// All queues of an observation.
    static List<QueueGrowth> in(List<Dump> dumps) {
        Map<String, List<QueueStats>> byId = new LinkedHashMap<>();
        for (Dump dump : dumps) {
            for (QueueStats queue : dump.surroundings().queues()) {
                byId.computeIfAbsent(queue.id(), _ -> new ArrayList<>()).add(queue);
            }
        }
        return byId.values().stream()
                .filter(it -> it.size() >= DUMPS)
                .map(QueueGrowth::new)
                .toList();
    }

    QueueStats first() {
        return looks.getFirst();
    }

    QueueStats last() {
        return looks.getLast();
    }

    long by() {
        return last().size() - first().size();
    }

    boolean isFast(double seconds) {
        return by() >= GROWN && by() >= PER_SECOND * seconds && growsThroughout(PARTS, 5, 5);
    }

    boolean isSteady(double seconds) {
        return by() >= STEADY_GROWN
                && by() >= STEADY_PER_SECOND * seconds
                && looks.size() > 2 * STEADY_PARTS
                && growsThroughout(STEADY_PARTS, 2, 10);
    }

    /// Whether each part of the looks has its fair share of the growth, and the queue never became much
    /// shorter in between: consumers that work a burst off make it shorter.
    ///
    /// @param least the part of the fair share that is enough, as a divisor
    /// @param back  the part of it by which the queue may become shorter, as a divisor
    private boolean growsThroughout(int parts, int least, int back) {
        double fair = (double) by() / parts;
        for (int i = 1; i < looks.size(); i++) {
            if (looks.get(i - 1).size() - looks.get(i).size() > Math.max(1, fair / back)) {
                return false;
            }
        }
        for (int part = 0; part < parts; part++) {
            long from = looks.get(part * (looks.size() - 1) / parts).size();
            long to = looks.get((part + 1) * (looks.size() - 1) / parts).size();
            if (to - from < fair / least) {
                return false;
            }
        }
        return true;
    }

    /// The simple name of the queue's class.
    String type() {
        String type = first().id().substring(0, first().id().indexOf('@'));
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }
}
