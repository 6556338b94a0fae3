package dev.heddle;

import dev.heddle.internal.jdk.Access;
import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.Pollers;
import dev.heddle.internal.jdk.QuietFile;
import dev.heddle.internal.kernel.Goroutine;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.kernel.KernelOptions;
import dev.heddle.internal.kernel.KernelPool;
import dev.heddle.internal.kernel.KernelThread;
import dev.heddle.internal.procs.NumaTopology;
import dev.heddle.internal.procs.Pinning;
import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.procs.SystemFiles;
import dev.heddle.observe.Debugging;
import dev.heddle.observe.FlightRecorder;
import dev.heddle.stats.SchedulerStats;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A scheduler of its own, with its own processors, for goroutines and virtual threads.
///
/// ```java
/// try (var scheduler = Scheduler.builder().procs(4).name("batch").build()) {
///     scheduler.go(() -> work());
///     scheduler.executor().submit(task);          // one virtual thread per task
///     scheduler.threadFactory().newThread(job).start();
/// }                                               // waits for all of them
/// ```
///
/// Threads that are made by a thread of a scheduler belong to the same scheduler.
public final class Scheduler implements AutoCloseable {

    private static final boolean HAS_ACCESS = Access.problem() == null;
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final AtomicBoolean COMPLAINED = new AtomicBoolean();

    private static volatile @Nullable Scheduler defaultIfMade;

    private final Kernel kernel;

    private Scheduler(KernelOptions options, boolean asDefault) {
        if (!asDefault) {
            Pollers.startOnDefaultScheduler();
        }
        kernel = new Kernel(options);
        kernel.kernelPool().setOwner(this);
        if (!asDefault) {
            kernel.setHeir(new DefaultKernel());
        }
    }

    /// Before a scheduler is made: whoever debugs wants to know why that takes so long.
    private static void watchStart() {
        if (Defaults.debug() != null) {
            Debugging.watchStart();
        }
    }

    /// Starts what the environment asks for. Once the scheduler is installed, if it is to be: it looks at
    /// virtual threads.
    private static void startObservers() {
        String debug = Defaults.debug();
        if (debug != null) {
            Debugging.begin(debug);
        }
        FlightRecorder.startIfAsked();
    }

    /// The default scheduler: the one that is installed in this JVM, else one made on first use.
    private static final class Default {
        static final Scheduler INSTANCE = installedOrNew();

        private static Scheduler installedOrNew() {
            Scheduler made = DefaultScheduler.installed() instanceof KernelPool pool
                    ? (Scheduler) pool.owner()
                    : builder().name("heddle").build();
            defaultIfMade = made;
            return made;
        }
    }

    /// The kernel of the default scheduler, made when it is asked for.
    static final class DefaultKernel implements Supplier<Kernel> {
        @Override
        public Kernel get() {
            return Default.INSTANCE.kernel;
        }
    }

    /// Starts `body` on the default scheduler. Does not block, not even if that has first to be made.  Any
    /// thread.
    static void goByDefault(Go.Body body) {
        Scheduler made = defaultIfMade;
        if (made != null) {
            made.go(body);
        } else {
            Thread.ofPlatform().daemon().name("heddle-default").start(() -> Default.INSTANCE.go(body));
        }
    }

    /// The scheduler of the current thread if it is a virtual thread of Heddle's, else the default one.
    public static Scheduler current() {
        if (!HAS_ACCESS) {
            Access.require(); // throws: the sentence itself, and not the failure of some class initialiser
        }
        KernelPool pool = currentPool();
        return pool == null ? Default.INSTANCE : (Scheduler) pool.owner();
    }

    private static @Nullable KernelPool currentPool() {
        return Jdk.poolOf(Thread.currentThread()) instanceof KernelPool pool ? pool : null;
    }

    public static Builder builder() {
        Access.require();
        return new Builder();
    }

    Kernel kernel() {
        return kernel;
    }

    /// Starts a goroutine here. Any thread.
    public void go(Go.Body body) {
        kernel.spawn(new Goroutine(Objects.requireNonNull(body, "go of nil func value")));
    }

    /// Makes unstarted virtual threads of this scheduler.
    public ThreadFactory threadFactory() {
        CarrierPool pool = kernel.pool();
        return task -> {
            Kernel.checkpoint(); // the start that follows is pinned by the JDK: a thread that starts others yields here
            return Jdk.newVirtualThread(pool, null, 0, Objects.requireNonNull(task));
        };
    }

    /// Runs each task in a new virtual thread of this scheduler. Closing it waits for its own tasks only.
    public ExecutorService executor() {
        return Executors.newThreadPerTaskExecutor(threadFactory());
    }

    public int procs() {
        return kernel.procs();
    }

    /// Changes the number of processors while everything goes on.
    public void setProcs(int procs) {
        kernel.setProcs(procs);
    }

    public String name() {
        return kernel.name();
    }

    /// A picture of the scheduler, taken without stopping it.
    public SchedulerStats stats() {
        return kernel.stats();
    }

    /// Refuses new goroutines and threads, waits until those that live have ended, and then lets its threads
    /// go.
    ///
    /// Deadlines, timers and functions to start later ([Context#withTimeout], [Timer], [Context#afterFunc]) may
    /// outlive the scheduler of their maker: what is due after the end belongs to the default scheduler.
    ///
    /// @throws IllegalStateException if it is the default scheduler, which ends with the JVM
    @Override
    public void close() {
        if (DefaultScheduler.installed() == kernel.pool()) {
            throw new IllegalStateException("this scheduler runs every virtual thread of the JVM and cannot be closed");
        }
        if (defaultIfMade == this) {
            throw new IllegalStateException(
                    "this is the default scheduler, to which all belongs that has no other, and cannot be closed");
        }
        kernel.close();
        boolean interrupted = false;
        while (true) {
            try {
                if (kernel.awaitEnd(1, TimeUnit.DAYS)) {
                    break;
                }
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return kernel.pool().toString();
    }

    /// Lets the kernel's own threads wait for no lock of the JDK's. Others open files in the ordinary way: what
    /// a quiet file needs would be loaded before the agent's program starts. A class, not a lambda, for the
    /// same reason.
    private static final class FileOpener implements SystemFiles.Opener {
        @Override
        public InputStream open(String path) throws IOException {
            return Thread.currentThread() instanceof KernelThread ? QuietFile.open(path) : new FileInputStream(path);
        }
    }

    /// Sets a scheduler up. What is not set comes from the environment: see README.
    public static final class Builder {
        private int procs;
        private @Nullable String name;
        private int maxThreads = Defaults.number("maxThreads", KernelOptions.DEFAULT_MAX_MACHINES);
        private StealPolicy steal = StealPolicy.GO;
        private Thread.@Nullable UncaughtExceptionHandler handler;

        private Builder() {}

        /// How many goroutines run at the same time. Go: GOMAXPROCS.
        public Builder procs(int number) {
            if (number < 1) {
                throw new IllegalArgumentException("procs must be at least 1, not " + number);
            }
            procs = number;
            return this;
        }

        /// What its carrier threads are called.
        public Builder name(String text) {
            name = Objects.requireNonNull(text);
            return this;
        }

        /// At most so many carrier threads.
        public Builder maxThreads(int number) {
            maxThreads = number;
            return this;
        }

        /// How much a thief takes: Go's rule unless set.
        public Builder stealPolicy(StealPolicy policy) {
            steal = Objects.requireNonNull(policy);
            return this;
        }

        /// Gets what goroutines do not catch; by default their thread's own handler.
        public Builder uncaughtExceptionHandler(Thread.UncaughtExceptionHandler handler) {
            this.handler = Objects.requireNonNull(handler);
            return this;
        }

        public Scheduler build() {
            watchStart();
            Scheduler scheduler = new Scheduler(options(), /* asDefault= */ false);
            startObservers();
            return scheduler;
        }

        /// Builds the scheduler and makes it the one that runs every virtual thread of this JVM. What the agent
        /// does; without the agent, a program may do it first of all.
        ///
        /// @throws IllegalStateException if the JVM has used virtual threads already, or has none
        public Scheduler installAsDefault() {
            DefaultScheduler.requireVacant();
            watchStart();
            Scheduler scheduler = new Scheduler(options(), /* asDefault= */ true);
            DefaultScheduler.install(scheduler.kernel.pool());
            scheduler.kernel.becomeDefault();
            startObservers();
            return scheduler;
        }

        private KernelOptions options() {
            String called = name != null ? name : "heddle-" + NUMBER.incrementAndGet();
            ProcsWatcher watcher =
                    ProcsWatcher.ofThisProcess(SystemFiles.real(new FileOpener()), ProcsSettings.ofThisProcess());
            String complaint = watcher.decision().settings().complaint();
            if (complaint != null && COMPLAINED.compareAndSet(false, true)) {
                System.err.println("heddle: " + complaint);
            }
            if (procs > 0) {
                watcher.setExplicit(procs, "Scheduler.builder().procs(" + procs + ")");
            }
            if (watcher.decision().procs() > maxThreads) {
                watcher.setExplicit(maxThreads, "Scheduler.builder().maxThreads(" + maxThreads + ")");
            }
            return new KernelOptions(
                    called,
                    watcher,
                    pinning(watcher),
                    maxThreads,
                    KernelOptions.DEFAULT_IDLE_NANOS,
                    steal.rule,
                    handler);
        }

        /// The NUMA nodes are looked at only if the settings ask for pinning: the agent's start waits for this.
        private static @Nullable Pinning pinning(ProcsWatcher watcher) {
            ProcsSettings settings = watcher.decision().settings();
            return settings.pin() == null && !settings.pinAuto()
                    ? null
                    : Pinning.of(settings, watcher.limits(), NumaTopology.read(SystemFiles.real()));
        }
    }
}
