package dev.heddle.internal.agent;

import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.PointGate;
import dev.heddle.internal.kernel.KernelPool;
import dev.heddle.internal.preempt.PointKeeper;
import dev.heddle.internal.settings.Settings;
import dev.heddle.internal.weave.ClassPattern;
import dev.heddle.internal.weave.Weaver;
import dev.heddle.internal.weave.WeavingTransformer;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/// Creates a scheduler and installs it as the one that runs every virtual thread of this JVM, before the first virtual
/// thread exists.
///
/// The JDK's settings for its own scheduler are honoured. `jdk.virtualThreadScheduler.parallelism` is the number of
/// processors, unless the property `heddle.procs` gives one. `jdk.virtualThreadScheduler.maxPoolSize` is the maximum
/// number of carrier threads.
final class Installation {
    /*
     * The JDK's properties are validated here, before any state changes: an invalid value would make VirtualThread's
     * static initialiser fail and leave the class unusable. For the remaining steps and their order see
     * DefaultScheduler.
     */

    /// ForkJoinPool's limit on parallelism and pool size.
    private static final int MAX_CAP = 0x7fff;

    /// Carriers have the same names as the JDK's own, for tools and people that read the names in thread dumps.
    private static final String NAME = "ForkJoinPool-1";

    private Installation() {}

    /// Null if every virtual thread runs on Heddle from now on, or if this JVM has no real virtual threads;
    /// otherwise the reason for the failure.
    static @Nullable String install(AgentOptions options, Instrumentation instrumentation) {
        if (!DefaultScheduler.isPossible()) {
            System.err.println("heddle: not installed: this JVM runs virtual threads as platform threads"
                    + " (-XX:-VMContinuations), so there is nothing to schedule.");
            return null;
        }
        int parallelism;
        int maxPoolSize;
        try {
            parallelism = property(Settings.JDK_PARALLELISM, 1);
            maxPoolSize = property(Settings.JDK_MAX_POOL_SIZE, 1);
            property(Settings.JDK_MIN_RUNNABLE, 0); // unused here, but the JDK parses it
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        options.publish();
        try {
            String preempt = Settings.text(Settings.PREEMPT);
            ClassPattern pattern = preempt == null ? null : ClassPattern.parse(preempt);
            askForOnePoller();
            builder(parallelism, maxPoolSize).installAsDefault();
            if (pattern != null) {
                weave(pattern, instrumentation);
            }
            return null;
        } catch (IllegalStateException | IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    /// Where Heddle drives the JDK's socket pollers, every poll visits all of them, and each additional poller
    /// costs one more system call. The number is left alone if the JDK drives the pollers or if the user has
    /// set it.
    private static void askForOnePoller() {
        if (Settings.text(Settings.JDK_READ_POLLERS) == null
                && !Settings.isNetpollByJdk()
                && !"1".equals(Settings.text(Settings.JDK_POLLER_MODE))) {
            Settings.set(Settings.JDK_READ_POLLERS, "1");
        }
    }

    /// Adds preemption points to the classes that are loaded from now on.
    private static void weave(ClassPattern pattern, Instrumentation instrumentation) {
        if (DefaultScheduler.installed() instanceof KernelPool pool) {
            pool.kernel().setPreemptionPoints(PointKeeper.begin());
            instrumentation.addTransformer(new WeavingTransformer(pattern, new Weaver(PointGate.bootstrap())));
        }
    }

    private static Scheduler.Builder builder(int parallelism, int maxPoolSize) {
        Scheduler.Builder builder = Scheduler.builder().name(NAME);
        if (parallelism > 0 && Settings.text(Settings.PROCS) == null) {
            builder.procs(parallelism);
        }
        if (maxPoolSize > 0) {
            builder.maxThreads(maxPoolSize);
        }
        return builder;
    }

    /// The value of a numeric JDK property; 0 if it is not set.
    private static int property(String name, int min) {
        String value = Settings.text(name);
        if (value == null) {
            return 0;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= MAX_CAP) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                "-D" + name + "=" + value + " is refused: it must be a number from " + min + " to " + MAX_CAP + ".");
    }
}
