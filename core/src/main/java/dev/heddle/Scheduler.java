package dev.heddle;

import dev.heddle.internal.jdk.Access;
import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.Pollers;
import dev.heddle.internal.jdk.QuietFile;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.kernel.KernelOptions;
import dev.heddle.internal.kernel.KernelPool;
import dev.heddle.internal.kernel.KernelThread;
import dev.heddle.internal.observe.Debugging;
import dev.heddle.internal.observe.FlightRecorder;
import dev.heddle.internal.procs.NumaTopology;
import dev.heddle.internal.procs.Pinning;
import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.procs.SystemFiles;
import dev.heddle.internal.settings.Settings;
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

/// A scheduler for goroutines and virtual threads, with its own processors.
///
/// ```java
/// try (var scheduler = Scheduler.builder().procs(4).name("batch").build()) {
///     scheduler.go(() -> work());
///     scheduler.executor().submit(task);          // one virtual thread per task
///     scheduler.threadFactory().newThread(job).start();
/// }                                               // waits for all of them
/// ```
///
/// Threads that a thread of a scheduler creates belong to the same scheduler.
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
        kernel.pool().setOwner(this);
        if (!asDefault) {
            kernel.setHeir(new DefaultKernel());
        }
    }

    /// With debugging on, watches for a start that takes too long. Called before the scheduler is created.
    private static void watchStart() {
        if (Settings.debug() != null) {
            Debugging.watchStart();
        }
    }

    /// Starts the observers that the environment asks for. If the scheduler is to be installed, that must
    /// happen first, because the observers inspect virtual threads.
    private static void startObservers() {
        String debug = Settings.debug();
        if (debug != null) {
            Debugging.begin(debug);
        }
        FlightRecorder.startIfAsked();
    }

    /// The default scheduler: the one installed in this JVM, or else one created on first use.
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

    /// Supplies the kernel of the default scheduler, which is created on first use.
    static final class DefaultKernel implements Supplier<Kernel> {
        @Override
        public Kernel get() {
            return Default.INSTANCE.kernel;
        }
    }

    /// Starts `body` on the default scheduler. Does not block: if that scheduler does not exist yet, a new platform
    /// thread creates it.  Any thread.
    static void goByDefault(Go.Body body) {
        Scheduler made = defaultIfMade;
        if (made != null) {
            made.go(body);
        } else {
            Thread.ofPlatform().daemon().name("heddle-default").start(() -> Default.INSTANCE.go(body));
        }
    }

    /// The scheduler of the current thread, if a Heddle scheduler runs it; else the default scheduler.  Any thread.
    public static Scheduler current() {
        if (!HAS_ACCESS) {
            Access.require(); // throws a clear message, not a class initialiser's failure
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

    /// For tests.
    Kernel kernel() {
        return kernel;
    }

    /// Starts a goroutine on this scheduler. Any thread.
    public void go(Go.Body body) {
        kernel.spawn(new BodyGoroutine(Objects.requireNonNull(body, "go of nil func value")));
    }

    /// A factory of unstarted virtual threads of this scheduler.
    public ThreadFactory threadFactory() {
        CarrierPool pool = kernel.pool();
        return task -> {
            Kernel.checkpoint(); // the JDK pins the start that follows, so a thread that starts others yields here
            return Jdk.newVirtualThread(pool, null, 0, Objects.requireNonNull(task));
        };
    }

    /// An executor that runs each task in a new virtual thread of this scheduler. Closing the executor waits
    /// only for the executor's own tasks.
    public ExecutorService executor() {
        return Executors.newThreadPerTaskExecutor(threadFactory());
    }

    public int procs() {
        return kernel.procs();
    }

    /// Changes the number of processors while goroutines keep running.
    public void setProcs(int procs) {
        kernel.setProcs(procs);
    }

    /// See [Go#main].
    void runMain(Go.Body body) throws Throwable {
        MainGoroutine.run(kernel, body);
    }

    /// See [Go#lockOSThread].
    void lockThread() {
        kernel.lockThread();
    }

    /// See [Go#unlockOSThread].
    void unlockThread() {
        kernel.unlockThread();
    }

    /// See [Go#numCPU].
    int numCpu() {
        return kernel.limits().numCpu();
    }

    public String name() {
        return kernel.name();
    }

    /// A snapshot of the scheduler, taken without stopping it.
    public SchedulerStats stats() {
        return kernel.stats();
    }

    /// Closes the scheduler: refuses new goroutines and threads, waits until all live ones have ended, and then
    /// ends its carrier threads. An interrupt does not end the wait; the interrupt status is set again
    /// afterwards.
    ///
    /// Deadlines, timers and functions to start later ([Context#withTimeout], [Timer], [Context#afterFunc]) may
    /// outlive the scheduler that they were created on. The default scheduler runs what is due after the close.
    ///
    /// @throws IllegalStateException if this is the default scheduler, which ends with the JVM
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

    /// Opens files so that the kernel's own threads never wait for a lock of the JDK. Other threads open files
    /// in the ordinary way: the classes behind QuietFile would otherwise be loaded before the agent's program
    /// starts. This is a class and not a lambda for the same reason.
    private static final class FileOpener implements SystemFiles.Opener {
        @Override
        public InputStream open(String path) throws IOException {
            return Thread.currentThread() instanceof KernelThread ? QuietFile.open(path) : new FileInputStream(path);
        }
    }

    /// Builds a scheduler. Options that are not set come from the settings of the JVM: see `docs/settings.md`.
    public static final class Builder {
        private int procs;
        private @Nullable String name;
        private int maxThreads = Settings.maxThreads();
        private StealPolicy steal = StealPolicy.GO;
        private Thread.@Nullable UncaughtExceptionHandler handler;

        private Builder() {}

        /// Sets how many goroutines may run at the same time.
        /// Go: GOMAXPROCS.
        public Builder procs(int number) {
            if (number < 1) {
                throw new IllegalArgumentException("procs must be at least 1, not " + number);
            }
            procs = number;
            return this;
        }

        /// Sets the scheduler's name, from which its carrier threads get theirs.
        public Builder name(String text) {
            name = Objects.requireNonNull(text);
            return this;
        }

        /// Sets the maximum number of carrier threads.
        public Builder maxThreads(int number) {
            maxThreads = number;
            return this;
        }

        /// Sets how many goroutines a thief takes at once; by default, Go's rule.
        public Builder stealPolicy(StealPolicy policy) {
            steal = Objects.requireNonNull(policy);
            return this;
        }

        /// Sets the handler of exceptions that goroutines do not catch; by default, their thread's own handler.
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

        /// Builds the scheduler and installs it to run every virtual thread of this JVM. The agent calls
        /// this. A program without the agent may call it before it uses any virtual thread.
        ///
        /// @throws IllegalStateException if the JVM has used virtual threads already, if a scheduler is
        /// installed
        ///     already, or if the JVM runs virtual threads as platform threads (`-XX:-VMContinuations`)
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
                    handler,
                    new BodyGoroutine.Maker());
        }

        /// Reads the NUMA topology only if the settings ask for pinning, because the agent's start waits for
        /// this.
        private static @Nullable Pinning pinning(ProcsWatcher watcher) {
            ProcsSettings settings = watcher.decision().settings();
            return settings.pin() == null && !settings.pinAuto()
                    ? null
                    : Pinning.of(settings, watcher.limits(), NumaTopology.read(SystemFiles.real()));
        }
    }
}
