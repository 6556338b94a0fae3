package dev.heddle.observe;

import dev.heddle.stats.GoroutineStats;
import java.util.List;

/// The schedulers of a JVM, by JMX.
///
/// One bean for all of them, since they come and go. Nobody need register it: who attaches to a JVM does, by
/// `createMBean`. A program that is watched by JMX all the time calls [Schedulers#register].
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
    /// `frames` frames each. Looks at one after the other; none is stopped.
    ///
    /// @throws IllegalArgumentException if there is no scheduler of that name
    List<GoroutineStats> goroutines(String name, int limit, int frames);

    /// What is switched on, in the syntax of `HEDDLE_DEBUG`: see [DebugSettings].
    String getDebug();

    /// Changes the settings that are named, and leaves the others as they are.
    ///
    /// @throws IllegalArgumentException with one sentence, if there is no such setting or the value is refused
    void setDebug(String settings);
}
