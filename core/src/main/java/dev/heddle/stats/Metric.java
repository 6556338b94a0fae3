package dev.heddle.stats;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// One metric of a scheduler, under the name that Prometheus gets.
///
/// Metrics that Go also has get the names of Go's Prometheus client (`/sched/gomaxprocs:threads` is
/// `go_sched_gomaxprocs_threads`), so that Go's dashboards work; the names of the others begin with `heddle_`.
///
/// @param name  the name
/// @param help  what it is
/// @param kind  whether it only grows
/// @param label the name of the label that distinguishes metrics of the same name; empty if there is only one
/// @param value the value of that label
/// @param of    the figure itself
public record Metric(
        String name, String help, Kind kind, String label, String value, ToDoubleFunction<SchedulerSnapshot> of) {

    public enum Kind {
        GAUGE,
        COUNTER
    }

    /// The distribution of waits for a processor, which is not one figure.
    public static final String LATENCIES = "go_sched_latencies_seconds";

    public static final String LATENCIES_HELP =
            "Time goroutines spent runnable before they ran, of a sample. Go: /sched/latencies:seconds.";

    /// All figures that do not depend on the number of processors.
    public static final List<Metric> ALL = List.of(
            gauge(
                    "go_sched_gomaxprocs_threads",
                    "Processors. Go: /sched/gomaxprocs:threads.",
                    it -> it.stats().procs()),
            gauge(
                    "go_sched_goroutines_goroutines",
                    "Live goroutines and virtual threads. Go: /sched/goroutines:goroutines.",
                    it -> it.stats().live()),
            counter(
                    "go_sched_goroutines_created_goroutines_total",
                    "Goroutines and virtual threads started. Go: /sched/goroutines-created:goroutines.",
                    SchedulerSnapshot::created),
            gauge(
                    "go_sched_goroutines_not_in_go_goroutines",
                    "Goroutines that block a carrier. Go: /sched/goroutines/not-in-go:goroutines.",
                    SchedulerSnapshot::notInGo),
            gauge(
                    "go_sched_goroutines_runnable_goroutines",
                    "Queued goroutines. Go: /sched/goroutines/runnable:goroutines.",
                    SchedulerSnapshot::runnable),
            gauge(
                    "go_sched_goroutines_running_goroutines",
                    "Goroutines on a processor. Go: /sched/goroutines/running:goroutines.",
                    SchedulerSnapshot::running),
            gauge(
                    "go_sched_goroutines_waiting_goroutines",
                    "Parked goroutines. Go: /sched/goroutines/waiting:goroutines.",
                    SchedulerSnapshot::waiting),
            gauge(
                    "go_sched_threads_total_threads",
                    "Carrier threads. Go: /sched/threads/total:threads.",
                    it -> it.stats().threads()),
            gauge(
                    "heddle_threads_idle",
                    "Carrier threads parked in the idle list.",
                    it -> it.stats().idleThreads()),
            gauge(
                    "heddle_threads_spinning",
                    "Carrier threads that look for work.",
                    it -> it.stats().spinning()),
            blocked("syscall", it -> it.blockedMachines() - it.pinnedMachines()),
            blocked("pinned", SchedulerSnapshot::pinnedMachines),
            gauge(
                    "heddle_threads_hogs",
                    "Carrier threads that lost their processor for computing too long, and still compute.",
                    SchedulerSnapshot::hogs),
            gauge(
                    "heddle_processors_idle",
                    "Processors without a carrier thread.",
                    it -> it.stats().idleProcs()),
            gauge(
                    "heddle_global_queue_length",
                    "Entries in the global queue.",
                    it -> it.stats().globalQueue()),
            gauge("heddle_timers", "Timers waiting.", it -> it.stats().timers()),
            counter("heddle_timers_fired_total", "Timers run.", it -> it.stats().timersFired()),
            counter(
                    "heddle_switches_total",
                    "Goroutines put on a processor.",
                    it -> it.stats().switches()),
            counter(
                    "heddle_steals_total",
                    "Successful steals.",
                    it -> it.stats().steals()),
            counter(
                    "heddle_stolen_total",
                    "Entries that steals brought.",
                    it -> it.stats().stolen()),
            counter(
                    "heddle_spins_total",
                    "Times a carrier thread began to look for work.",
                    it -> sum(it, ProcessorStats::spins)),
            counter(
                    "heddle_wakes_total",
                    "Carrier threads woken to look for work.",
                    it -> it.stats().wakes()),
            counter(
                    "heddle_overflows_total",
                    "Spills of a full local queue.",
                    it -> it.stats().overflows()),
            counter(
                    "heddle_injections_total",
                    "Entries from threads without a processor.",
                    it -> it.stats().injections()),
            handOffs("blocking", SchedulerStats::blockedHandOffs),
            handOffs("undeclared", SchedulerStats::undeclaredHandOffs),
            handOffs("hog", SchedulerStats::hogHandOffs),
            counter(
                    "heddle_detached_hogs_total",
                    "Threads that computed after they had lost their processor for blocking.",
                    it -> it.stats().detachedHogs()),
            counter(
                    "heddle_demotions_total",
                    "Carrier threads given a lower priority for computing without a processor.",
                    it -> it.stats().demoted()),
            counter(
                    "heddle_preemptions_total",
                    "Requests to yield.",
                    it -> it.stats().preemptions()),
            counter(
                    "heddle_refused_threads_total",
                    "Carrier threads that the system refused.",
                    it -> it.stats().refusedThreads()),
            counter(
                    "heddle_safety_net_total",
                    "Work that only the system monitor found: anything but 0 is a bug.",
                    it -> it.stats().safetyNet()),
            counter(
                    "heddle_reclaimed_tokens_total",
                    "Spinning tokens that no machine held: anything but 0 is a bug.",
                    it -> it.stats().reclaimedTokens()),
            gauge(
                    "heddle_cpu_quota_cpus",
                    "CPUs' worth of time that the cgroup allows; 0 without quota.",
                    it -> it.limits().quotaCpus()),
            counter(
                    "heddle_cpu_quota_periods_total",
                    "Periods of the CPU quota in which the process ran.",
                    it -> it.limits().periods()),
            counter(
                    "heddle_throttled_periods_total",
                    "Periods in which the CPU quota stopped the process.",
                    it -> it.limits().throttledPeriods()),
            counter(
                    "heddle_throttled_seconds_total",
                    "For how long, added up over CPUs.",
                    it -> it.limits().throttledNanos() / 1e9));

    /// The length of one processor's queue, including runNext.
    public static Metric queueLength(int processor) {
        return new Metric(
                "heddle_run_queue_length",
                "Entries in a processor's queue, runnext among them.",
                Kind.GAUGE,
                "p",
                Integer.toString(processor),
                it -> processor < it.processors().size()
                        ? it.processors().get(processor).runQueue()
                                + (it.processors().get(processor).runNext() ? 1 : 0)
                        : 0);
    }

    private static Metric gauge(String name, String help, ToDoubleFunction<SchedulerSnapshot> of) {
        return new Metric(name, help, Kind.GAUGE, "", "", of);
    }

    private static Metric counter(String name, String help, ToDoubleFunction<SchedulerSnapshot> of) {
        return new Metric(name, help, Kind.COUNTER, "", "", of);
    }

    private static Metric blocked(String reason, ToDoubleFunction<SchedulerSnapshot> of) {
        return new Metric(
                "heddle_threads_blocked",
                "Carrier threads blocked by the goroutine on them: in a system call, or pinned.",
                Kind.GAUGE,
                "reason",
                reason,
                of);
    }

    private static Metric handOffs(String reason, ToDoubleFunction<SchedulerStats> of) {
        return new Metric(
                "heddle_hand_offs_total",
                "Processors taken from a carrier thread, by what its goroutine did.",
                Kind.COUNTER,
                "reason",
                reason,
                it -> of.applyAsDouble(it.stats()));
    }

    private static long sum(SchedulerSnapshot snapshot, java.util.function.ToLongFunction<ProcessorStats> of) {
        return snapshot.processors().stream().mapToLong(of).sum();
    }
}
