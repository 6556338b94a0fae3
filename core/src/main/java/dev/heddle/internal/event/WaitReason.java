package dev.heddle.internal.event;

/// Why a goroutine waits, in Go's own words (Go: waitReason, runtime2.go).
///
/// Dumps print [#toString()]: `goroutine 7 [chan receive]:`.
public enum WaitReason {
    CHAN_RECEIVE("chan receive"),
    CHAN_SEND("chan send"),
    CHAN_RECEIVE_NIL("chan receive (nil chan)"),
    CHAN_SEND_NIL("chan send (nil chan)"),
    SELECT("select"),
    SELECT_NO_CASES("select (no cases)"),
    SLEEP("sleep"),
    IO_WAIT("IO wait"),
    SEMACQUIRE("semacquire"),
    MUTEX_LOCK("sync.Mutex.Lock"),
    RWMUTEX_RLOCK("sync.RWMutex.RLock"),
    RWMUTEX_LOCK("sync.RWMutex.Lock"),
    COND_WAIT("sync.Cond.Wait"),
    WAIT_GROUP_WAIT("sync.WaitGroup.Wait"),
    PREEMPTED("preempted");

    private final String text;

    WaitReason(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
