package dev.heddle.management;

import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.SchedulerSnapshot;
import java.util.List;

/// The schedulers of a JVM, accessible over JMX.
///
/// One bean serves all of them, since schedulers come and go. A program that is monitored over JMX registers it by
/// [Schedulers#register]. Heddle's own commands do not use it.
public interface SchedulersMXBean {

    /// The names of the live schedulers, the JVM's default first.
    List<String> getNames();

    /// A snapshot of every live scheduler.
    List<SchedulerSnapshot> getSnapshots();

    /// A snapshot of one scheduler.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    SchedulerSnapshot snapshot(String name);

    /// The goroutines and virtual threads of one scheduler that have begun: at most `limit`, with at most
    /// `frames` frames each. They are sampled one after the other; the scheduler is not stopped meanwhile.
    ///
    /// @throws IllegalArgumentException if there is no scheduler of that name
    List<GoroutineStats> goroutines(String name, int limit, int frames);

    /// The current debug settings, in the syntax of `HEDDLE_DEBUG`: `schedtrace=1000,steals=1`.
    String getDebug();

    /// Changes the settings that are named, and leaves the others unchanged.
    ///
    /// @throws IllegalArgumentException with a one-sentence message, if there is no such setting or the value
    /// is
    ///     refused
    void setDebug(String settings);
}
