package dev.heddle.agent;

import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.PointGate;
import dev.heddle.internal.kernel.KernelPool;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/// Makes a scheduler and installs it as the one that runs every virtual thread of this JVM, before there is any.
///
/// What the JDK lets its own scheduler be told is honoured: `jdk.virtualThreadScheduler.parallelism` as the number of
/// processors unless Heddle's own settings name one, `jdk.virtualThreadScheduler.maxPoolSize` as the most carrier
/// threads.
final class Installation {
    /*
     * The JDK's properties are judged here, before anything is touched: a bad one would make VirtualThread's initialiser
     * fail and leave the class unusable. For the rest of the order see DefaultScheduler.
     */

    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";
    private static final String MAX_POOL_SIZE = "jdk.virtualThreadScheduler.maxPoolSize";
    private static final String MIN_RUNNABLE = "jdk.virtualThreadScheduler.minRunnable";

    private static final String READ_POLLERS = "jdk.readPollers";

    /// ForkJoinPool's limit on both.
    private static final int MAX_CAP = 0x7fff;

    /// The carriers are called as the JDK calls its own, for those who read names in thread dumps.
    private static final String NAME = "ForkJoinPool-1";

    private Installation() {}

    /// Null if every virtual thread runs on Heddle from now on, or if there are none in this JVM; else why not.
    static @Nullable String install(AgentOptions options, Instrumentation instrumentation) {
        if (!DefaultScheduler.isPossible()) {
            System.err.println("heddle: not installed: this JVM runs virtual threads as platform threads"
                    + " (-XX:-VMContinuations), so there is nothing to schedule.");
            return null;
        }
        int parallelism;
        int maxPoolSize;
        try {
            parallelism = property(PARALLELISM, 1);
            maxPoolSize = property(MAX_POOL_SIZE, 1);
            property(MIN_RUNNABLE, 0); // of no meaning here, but the JDK reads it
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        options.publish();
        try {
            String preempt = System.getProperty(AgentOptions.PREEMPT);
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

    /// Where Heddle drives the JDK's pollers of sockets a look is for all of them, and each more would cost
    /// it a system call. Where the JDK drives them, and where the user says how many, the number stays what
    /// it is.
    private static void askForOnePoller() {
        if (System.getProperty(READ_POLLERS) == null
                && !"jdk".equals(System.getProperty("heddle.netpoll"))
                && !"1".equals(System.getProperty("jdk.pollerMode"))) {
            System.setProperty(READ_POLLERS, "1");
        }
    }

    /// Gives preemption points to the classes that are loaded from now on.
    private static void weave(ClassPattern pattern, Instrumentation instrumentation) {
        if (DefaultScheduler.installed() instanceof KernelPool pool) {
            pool.kernel().setPreemptionPoints(PointKeeper.begin());
            instrumentation.addTransformer(new WeavingTransformer(pattern, new Weaver(PointGate.bootstrap())));
        }
    }

    private static Scheduler.Builder builder(int parallelism, int maxPoolSize) {
        Scheduler.Builder builder = Scheduler.builder().name(NAME);
        if (parallelism > 0 && System.getProperty("heddle.procs") == null) {
            builder.procs(parallelism);
        }
        if (maxPoolSize > 0) {
            builder.maxThreads(maxPoolSize);
        }
        return builder;
    }

    /// The number that a property of the JDK gives; 0 when it is not set.
    private static int property(String name, int min) {
        String value = System.getProperty(name);
        if (value == null) {
            return 0;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= MAX_CAP) {
                return number;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw new IllegalArgumentException(
                "-D" + name + "=" + value + " is refused: it must be a number from " + min + " to " + MAX_CAP + ".");
    }
}
