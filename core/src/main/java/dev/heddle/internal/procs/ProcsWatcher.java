package dev.heddle.internal.procs;

import java.util.concurrent.atomic.AtomicReference;

/// Keeps the number of processors in step with the machine, as Go's sysmon does (F73).
///
/// The kernel makes one at the start, calls [#poll] from the system monitor, and tells it of explicit settings. It
/// takes no lock: explicit settings win over a poll that is under way.
public final class ProcsWatcher {
    /*
     * Shape.      One immutable State behind an AtomicReference.
     * Who writes. poll: one thread, by CAS from the state it judged.  setExplicit, setDefault: any thread, by a set.
     * Invariants. (I1) decision().procs() changes only when decision().settings() is not explicit, or by a set;
     *             (I2) a poll that lost to a set has no effect: the next poll reads the limits again.
     * Callers.    Between poll's answer and the stopped world another thread may have set a number: with the world
     *             stopped, apply decision().procs(), not the answer.
     */

    /// What [#poll] answers when there is nothing to do.
    public static final int UNCHANGED = 0;

    /// Files are read at most this often; as in Go.
    public static final long INTERVAL_NANOS = 1_000_000_000L;

    private final CpuLimitsReader reader;
    private final int startCpus;
    private final AtomicReference<State> state;
    private long lastReadNanos; // the polling thread's

    /// @param decision what was decided
    /// @param limits the current limits: updated even if the decision stays
    /// @param throttledNow whether a quota throttled the process between the last two reads
    private record State(ProcsDecision decision, CpuLimits limits, boolean throttledNow) {}

    /// Decides for the first time.
    ///
    /// @param fallbackCpus the CPU count where the kernel does not tell: `Runtime.availableProcessors()`
    /// @param nowNanos the time, of the clock that [#poll] will be given
    public ProcsWatcher(SystemFiles files, ProcsSettings settings, int fallbackCpus, long nowNanos) {
        this.reader = new CpuLimitsReader(files, fallbackCpus);
        CpuLimits limits = reader.read();
        this.startCpus = limits.cpus();
        this.state = new AtomicReference<>(new State(ProcsDecision.of(settings, limits), limits, false));
        this.lastReadNanos = nowNanos;
    }

    /// A watcher of this process, with the given settings.
    public static ProcsWatcher ofThisProcess(SystemFiles files, ProcsSettings settings) {
        return new ProcsWatcher(files, settings, Runtime.getRuntime().availableProcessors(), System.nanoTime());
    }

    /// The number now, and why. Any thread.
    public ProcsDecision decision() {
        return state.get().decision;
    }

    /// How many CPUs this process could use when it started. Go: NumCPU, which is frozen too. Any thread.
    public int numCpu() {
        return startCpus;
    }

    /// The limits at the last read; updated even while the number is fixed. Any thread.
    public CpuLimits limits() {
        return state.get().limits;
    }

    /// Reads the limits again if the last read was at least a second ago. With an explicit number the limits
    /// are still read, for [#spinningWastesQuota], but the number stays.
    ///
    /// Go: sysmonUpdateGOMAXPROCS. One thread, always the same.
    ///
    /// @return the new number, or [#UNCHANGED]
    public int poll(long nowNanos) {
        if (nowNanos - lastReadNanos < INTERVAL_NANOS) {
            return UNCHANGED;
        }
        lastReadNanos = nowNanos;
        State before = state.get();
        CpuLimits limits = reader.read();
        boolean throttledNow =
                limits.throttling().since(before.limits.throttling()).throttledPeriods() > 0;
        ProcsDecision old = before.decision;
        ProcsDecision now = old.settings().updates() ? ProcsDecision.of(old.settings(), limits) : old;
        if (!state.compareAndSet(before, new State(now, limits, throttledNow))) {
            return UNCHANGED; // set meanwhile
        }
        return now.procs() == old.procs() ? UNCHANGED : now.procs();
    }

    /// Fixes the number: only a further call changes it, even if it equals the current number (F73). Any
    /// thread.
    ///
    /// @param by the call that set it, for the explanation: `Go.gomaxprocs(4)`
    public ProcsDecision setExplicit(int procs, String by) {
        State before = state.get();
        ProcsDecision decision = ProcsDecision.of(before.decision.settings().withProcs(procs, by), before.limits);
        state.set(new State(decision, before.limits, before.throttledNow));
        return decision;
    }

    /// Reads CPUs and quota, returns to the number that follows from them, and tracks them from now on,
    /// regardless of earlier calls and of the environment. Go: SetDefaultGOMAXPROCS. Any thread.
    public ProcsDecision setDefault() {
        State before = state.get();
        CpuLimits limits = reader.read();
        ProcsDecision decision = ProcsDecision.of(before.decision.settings().withDefaultProcs(), limits);
        state.set(new State(decision, limits, before.throttledNow));
        return decision;
    }

    /// Whether processors that spin or nap while searching for work would consume quota that the work itself
    /// needs: the quota is below the number of processors, or has just throttled the process (N13). Any thread,
    /// cheap.
    public boolean spinningWastesQuota() {
        State now = state.get();
        CpuQuota quota = now.limits.quota();
        return now.throttledNow || (quota != null && quota.isBelow(now.decision.procs()));
    }

    /// Whether a quota throttled the process between the last two reads. Any thread.
    public boolean isThrottledNow() {
        return state.get().throttledNow;
    }
}
