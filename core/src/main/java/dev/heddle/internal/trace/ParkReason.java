package dev.heddle.internal.trace;

/// Why a goroutine parks. Stored by its code: the first sixteen are Heddle's own reasons, in Go's words; the others are
/// what the JDK's state of the thread tells.
public enum ParkReason {
    CHAN_RECEIVE(0, "chan receive"),
    CHAN_SEND(1, "chan send"),
    CHAN_RECEIVE_NIL(2, "chan receive (nil chan)"),
    CHAN_SEND_NIL(3, "chan send (nil chan)"),
    SELECT(4, "select"),
    SELECT_NO_CASES(5, "select (no cases)"),
    SLEEP(6, "sleep"),
    IO_WAIT(7, "IO wait"),
    SEMACQUIRE(8, "semacquire"),
    MUTEX_LOCK(9, "sync.Mutex.Lock"),
    RWMUTEX_RLOCK(10, "sync.RWMutex.RLock"),
    RWMUTEX_LOCK(11, "sync.RWMutex.Lock"),
    COND_WAIT(12, "sync.Cond.Wait"),
    WAIT_GROUP_WAIT(13, "sync.WaitGroup.Wait"),
    PREEMPTED(14, "preempted"),
    /// A park without a time limit; BLOCKER may tell more.
    PARK(16, "park"),
    /// A park with a time limit and a blocker.
    TIMED_PARK(17, "timed park"),
    /// Waits to enter a monitor (`synchronized`).
    MONITOR_ENTER(18, "monitor enter"),
    /// `Object.wait`.
    MONITOR_WAIT(19, "monitor wait"),
    /// `Object.wait` with a time limit.
    MONITOR_TIMED_WAIT(20, "monitor timed wait"),
    /// A code of a newer writer.
    OTHER(31, "other");

    private static final ParkReason[] BY_CODE = byCode();

    private final int code;
    private final String text;

    ParkReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    public int code() {
        return code;
    }

    public static ParkReason of(long code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[(int) code] : OTHER;
    }

    private static ParkReason[] byCode() {
        ParkReason[] all = new ParkReason[OTHER.code + 1];
        java.util.Arrays.fill(all, OTHER);
        for (ParkReason each : values()) {
            all[each.code] = each;
        }
        return all;
    }

    @Override
    public String toString() {
        return text;
    }
}
