package dev.heddle.internal.kernel;

/// Whether and how the thread that is mounted on a machine blocks it. All figures and dumps take it from here, so that
/// they agree.
enum Blockage {
    /// The thread runs, or waits for a CPU, or none is mounted.
    NONE,
    /// In a system call, in native code that sleeps, or in the JVM: the operating system says that the carrier
    /// sleeps, or the thread declared that it blocks.
    SYSCALL,
    /// Parked, waiting, or at a monitor, and unable to leave the carrier: below a native frame or a class
    /// initialiser. The JVM says that the carrier waits.
    PINNED;

    /// One moment, read racily. Costs a system call or two unless the machine is idle. Any thread.
    static Blockage of(Machine machine) {
        if (!machine.isMounted()) {
            return NONE;
        }
        return switch (Word.state(machine.word())) {
            case Word.SYSCALL -> machine.probe.isWaiting() ? PINNED : SYSCALL;
            case Word.USER -> outsideTheKernel(machine, /* hasProcessor= */ true);
            case Word.LOST, Word.NONE -> outsideTheKernel(machine, /* hasProcessor= */ false);
            default -> NONE;
        };
    }

    private static Blockage outsideTheKernel(Machine machine, boolean hasProcessor) {
        if (machine.probe.isWaiting()) {
            return PINNED;
        }
        return switch (machine.probe.observedSleep()) {
            case ASLEEP -> SYSCALL;
            case AWAKE -> NONE;
            // The monitor took the processor for blocking or for computing, and only hogs compute for long.
            case UNKNOWN -> hasProcessor || machine.isFreeHog ? NONE : SYSCALL;
        };
    }
}
