package dev.heddle.doctor;

import dev.heddle.internal.observe.Sample;
import java.util.List;
import java.util.Optional;

/// Finds the part of an observation in which the JVM was warm.
///
/// A JVM that starts runs interpreted code, loads classes under locks and initialises them, and its compilers
/// take the CPUs. Then healthy code computes for longer than a time slice, locks are held for long, carriers
/// are blocked in class loading. None of that says anything about the program.
final class Warmth {

    /// The two figures are taken over this time: a single compilation may take as long as some samples.
    private static final long WINDOW_NANOS = 1_000_000_000;

    /// CPU time of the compilers in that time. A warm program compiles now and then; the compilers of one that starts
    /// are busy all the time.
    private static final long COMPILING_MILLIS = 500;

    /// On a busy host the compilers of a program that starts get less, but no less than the program itself. A process
    /// that uses less than this in that time mostly waits, and does not care.
    private static final double COMPILING_SHARE = 0.5;

    private static final long CPU_NANOS = 250_000_000;

    /// Classes loaded in that time. A warm program loads one now and then; one that starts loads a thousand.
    private static final long CLASSES = 100;

    /// A shorter part tells nothing.
    private static final double SHORTEST_SECONDS = 1;

    private Warmth() {}

    /// The observation from the last cold moment on; empty if that is too short a time.
    static Optional<Observation> warmPartOf(Observation seen) {
        List<Sample> samples = seen.samples();
        int from = 0;
        for (int begin = 0, end = 1; end < samples.size(); end++) {
            while (nanos(samples, begin, end) > WINDOW_NANOS && begin + 1 < end) {
                begin++;
            }
            if (isCold(samples.get(begin), samples.get(end))) {
                from = end;
            }
        }
        if (from == 0) {
            return Optional.of(seen);
        }
        double seconds = nanos(samples, from, samples.size() - 1) / 1e9;
        return seconds < SHORTEST_SECONDS
                ? Optional.empty()
                : Optional.of(seen.from(samples.get(from).snapshot().nanoTime()));
    }

    private static long nanos(List<Sample> samples, int begin, int end) {
        return samples.get(end).snapshot().nanoTime()
                - samples.get(begin).snapshot().nanoTime();
    }

    private static boolean isCold(Sample begin, Sample end) {
        long compiling = end.compileMillis() - begin.compileMillis();
        long cpu = end.cpuNanos() - begin.cpuNanos();
        boolean compiles =
                cpu > CPU_NANOS && (compiling > COMPILING_MILLIS || compiling * 1_000_000 > COMPILING_SHARE * cpu);
        return compiles || end.classesLoaded() - begin.classesLoaded() > CLASSES;
    }
}
