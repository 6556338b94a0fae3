package dev.heddle.internal.kernel;

/// How many machines there are, and how many more are wanted.
///
/// The starter makes machines, one at a time. It reserves each before it starts the thread, so that the limit holds,
/// and counts it as starting until the new thread has begun and looks for a pending processor itself.
/// Go: mcount, checkmcount.
final class MachineCounts {

    private final Kernel kernel;
    private final int most;

    // The number of machines, and how many of them have been made but have not begun to run. Under the scheduler lock.
    private int machines;
    private int starting;
    private int lastId;

    /// Whether one machine is kept idle for the next hand-off, once [#keepSpare] was called. Until
    /// `sparesUntil`, as many idle machines are kept as there are processors.
    private volatile boolean keepsSpare;

    private volatile long sparesUntil;

    /// @param most the limit of machines
    MachineCounts(Kernel kernel, int most) {
        this.kernel = kernel;
        this.most = most;
    }

    /// The number of machines. May be stale unless the caller holds the scheduler lock.
    int machines() {
        return machines;
    }

    int most() {
        return most;
    }

    /// Whether no further machine may be made. May be stale: if it is wrong, the starter notices and wakes the
    /// sleeper itself.
    boolean isAtLimit() {
        return machines >= most;
    }

    // ---- how many are wanted

    /// How many machines have to be made: one for each processor that waits while no new machine is starting
    /// for it. If there is no such processor, one more while there are fewer spare machines than the next
    /// hand-offs may need.
    int wanted() {
        int spares = kernel.now() < sparesUntil ? kernel.procs() : keepsSpare ? 1 : 0;
        kernel.lock.lock();
        try {
            int wanted = kernel.idle.pendingProcessors() - starting;
            if (wanted <= 0 && machines < most && kernel.idle.idleMachines() - wanted < spares) {
                wanted = 1;
            }
            return wanted;
        } finally {
            kernel.lock.held = 0;
        }
    }

    /// From now on one machine is kept idle, so that a hand-off need not wait for a new thread. System monitor
    /// only.
    void keepSpare() {
        if (!keepsSpare) {
            keepsSpare = true;
            kernel.starter.signal();
        }
    }

    /// A processor was handed off because its thread blocks or computes. More hand-offs may follow, so spare
    /// machines are kept until the given time. System monitor only.
    void keepSparesUntil(long time) {
        keepsSpare = true;
        sparesUntil = time;
        kernel.starter.signal();
    }

    /// A machine could not be made: stops keeping spare machines. Starter only.
    void keepNoSpares() {
        sparesUntil = 0;
        keepsSpare = false;
    }

    /// A parked machine was put to use. If it was the spare one, the starter makes another.
    void replaceSpare() {
        if (keepsSpare && kernel.idle.idleMachines() == 0) {
            kernel.starter.signal();
        }
    }

    // ---- how many there are

    /// Reserves the id of a new machine; 0 if the limit of machines is reached. Starter only.
    int reserve() {
        kernel.lock.lock();
        try {
            int id = 0;
            if (machines < most) {
                machines++;
                starting++;
                id = ++lastId;
            }
            return id;
        } finally {
            kernel.lock.held = 0;
        }
    }

    /// The reserved machine could not be started. Starter only.
    void unreserve() {
        kernel.lock.lock();
        try {
            machines--;
            starting--;
        } finally {
            kernel.lock.held = 0;
        }
    }

    /// The reserved machine runs. On that machine.
    void began() {
        kernel.lock.lock();
        try {
            starting--;
        } finally {
            kernel.lock.held = 0;
        }
    }

    /// The machine has left its loop. On that machine.
    void ended() {
        kernel.lock.lock();
        try {
            machines--;
        } finally {
            kernel.lock.held = 0;
        }
    }

    /// Whether no machine has anything to do. The machine that sleeps for timers and sockets counts as idle,
    /// too: the caller checks those timers and sockets itself.
    boolean areAllIdle() {
        kernel.lock.lock();
        try {
            int waiting =
                    kernel.idle.idleMachines() + kernel.locked.idleMachines() + (kernel.sleeper.isTaken() ? 1 : 0);
            return starting == 0 && kernel.idle.pendingProcessors() == 0 && machines == waiting;
        } finally {
            kernel.lock.held = 0;
        }
    }
}
