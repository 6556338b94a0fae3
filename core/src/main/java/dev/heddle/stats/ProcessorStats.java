package dev.heddle.stats;

/// A racy snapshot of one processor. Go: the P line of `scheddetail`.
///
/// @param id          its number
/// @param status      as in Go: 0 idle, 1 running, 3 stopped, 4 beyond the current number of processors
/// @param schedTick   time slices
/// @param machine     the machine that owns it; -1 if none does
/// @param runQueue    entries queued, runNext not counted
/// @param runNext     whether there is a runNext
/// @param timers      timers waiting
/// @param switches    entries run
/// @param started     goroutines and threads started here
/// @param ended       goroutines and threads that ended here, wherever they were started
/// @param steals      successful steals for this processor
/// @param stolen      entries gained by these steals
/// @param stolenFrom  successful steals from this processor by others
/// @param handOffs    times it was taken from a machine that blocked or computed for too long
/// @param preemptions requests to yield
/// @param spins       times a machine began to search for work with it
/// @param wakes       machines woken to search for work
/// @param naps        short sleeps of machines that searched for work with it
/// @param overflows   spills of the full queue
/// @param timersFired timers run
public record ProcessorStats(
        int id,
        int status,
        long schedTick,
        int machine,
        int runQueue,
        boolean runNext,
        int timers,
        long switches,
        long started,
        long ended,
        long steals,
        long stolen,
        long stolenFrom,
        long handOffs,
        long preemptions,
        long spins,
        long wakes,
        long naps,
        long overflows,
        long timersFired) {

    public static final int IDLE = 0;
    public static final int RUNNING = 1;
    public static final int STOPPED = 3;
    public static final int DEAD = 4;
}
