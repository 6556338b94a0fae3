package dev.heddle.trace.export;

import dev.heddle.internal.trace.ParkReason;
import java.util.ArrayList;
import java.util.List;

/// What Heddle says, in the words that Go's tools know.
final class GoWords {

    private GoWords() {}

    /// Go's tools give each of these reasons a colour or a lane of its own; others are shown as they are.
    static String reason(ParkReason reason) {
        return switch (reason) {
            case CHAN_RECEIVE -> "chan receive";
            case CHAN_SEND -> "chan send";
            case SELECT -> "select";
            case CHAN_RECEIVE_NIL, CHAN_SEND_NIL, SELECT_NO_CASES -> "forever";
            case SLEEP -> "sleep";
            case IO_WAIT -> "network";
            case SEMACQUIRE,
                    MUTEX_LOCK,
                    RWMUTEX_RLOCK,
                    RWMUTEX_LOCK,
                    WAIT_GROUP_WAIT,
                    MONITOR_ENTER,
                    PARK,
                    TIMED_PARK -> "sync";
            case COND_WAIT, MONITOR_WAIT, MONITOR_TIMED_WAIT -> "sync.(*Cond).Wait";
            case PREEMPTED -> "preempted";
            case OTHER -> "other";
        };
    }

    /// The name of a goroutine. Go's tools hide names that begin with `runtime.`.
    static String name(String kind) {
        return kind.startsWith("runtime.") ? "app." + kind : kind;
    }

    /// A Java stack as Go's frames, the goroutine's name as the outermost: Go's tools name a goroutine by that.
    static List<String> stack(List<String> frames, String name) {
        List<String> all = new ArrayList<>(frames.subList(0, Math.min(frames.size(), GoTables.MOST_FRAMES - 1)));
        all.add(name);
        return all;
    }
}
