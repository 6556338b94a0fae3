package dev.heddle;

import dev.heddle.internal.jdk.Access;
import dev.heddle.internal.jdk.CarrierPool;
import dev.heddle.internal.jdk.DefaultScheduler;
import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.JdkPollers;
import dev.heddle.internal.jdk.JvmArguments;
import dev.heddle.internal.jdk.RawFile;
import dev.heddle.internal.jdk.UnknownProperties;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.kernel.KernelOptions;
import dev.heddle.internal.kernel.KernelThread;
import dev.heddle.internal.kernel.SchedulerCore;
import dev.heddle.internal.observe.DebugControl;
import dev.heddle.internal.observe.ObserverGate;
import dev.heddle.internal.observe.RecorderLink;
import dev.heddle.internal.observe.TraceControl;
import dev.heddle.internal.observe.WindowWriter;
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

    private final SchedulerCore core;

    private Scheduler(SchedulerCore core) {
        this.core = core;
        core.pool().setOwner(this);
    }

    /// The scheduler of a thread's pool.
    private static Scheduler of(CarrierPool pool) {
        return pool.owner() instanceof Scheduler scheduler ? scheduler : madeFor(pool);
    }

    /// A pool that is not a kernel's has a core until one of its threads asks for its scheduler.
    private static synchronized Scheduler madeFor(CarrierPool pool) {
        Object owner = pool.owner();
        if (owner instanceof Scheduler made) {
            return made; // by another thread, meanwhile
        }
        if (owner instanceof SchedulerCore core) {
            return new Scheduler(core);
        }
        throw new IllegalStateException("the scheduler of this thread is not open to Heddle's API: " + pool);
    }

    /// With debugging on, watches for a start that takes too long. Called before the scheduler is created.
    private static void watchStart() {
        if (Settings.debug() != null) {
            DebugControl.watchStart();
        }
    }

    /// Starts the observers that the environment asks for. If the scheduler is to be installed, that must
    /// happen first, because the observers inspect virtual threads.
    ///
    /// @throws IllegalStateException with a one-sentence message, if the port for metrics cannot be opened
    private static void startObservers() {
        String debug = Settings.debug();
        if (debug != null) {
            DebugControl.begin(debug);
        }
        WindowWriter.startIfAsked();
        if (Settings.traceFile() != null) {
            TraceControl.startIfAsked();
        }
        if (Settings.text(Settings.FLIGHT) != null || Settings.text(Settings.FLIGHT_LATENCY) != null) {
            TraceControl.startFlightIfAsked();
        }
        ObserverGate.open();
    }

    /// The default scheduler: the one installed in this JVM, or else one created on first use.
    private static final class Default {
        static final Scheduler INSTANCE = installedOrNew();

        private static Scheduler installedOrNew() {
            CarrierPool installed = DefaultScheduler.installed();
            Scheduler made = installed == null ? builder().name("heddle").build() : of(installed);
            defaultIfMade = made;
            return made;
        }
    }

    /// Supplies the kernel of the default scheduler, which is created on first use.
    static final class DefaultKernel implements Supplier<Kernel> {
        @Override
        public Kernel get() {
            return Default.INSTANCE.kernel();
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
        CarrierPool pool = Jdk.poolOf(Thread.currentThread());
        return pool == null ? Default.INSTANCE : of(pool);
    }

    public static Builder builder() {
        Access.require();
        return new Builder();
    }

    /// The kernel of this scheduler, which is one of Heddle's own.
    Kernel kernel() {
        return (Kernel) core;
    }

    /// Starts a goroutine on this scheduler. An exception that it does not catch goes to the scheduler's uncaught
    /// exception handler; if the scheduler has none, to the handler of the goroutine's thread. Any thread.
    ///
    /// @throws java.util.concurrent.RejectedExecutionException if this scheduler is closed
    /// @throws StackOverflowError if the caller has less than 16 KB of stack left; nothing was started
    public void go(Go.Body body) {
        core.spawn(new BodyGoroutine(Objects.requireNonNull(body, "go of nil func value")));
    }

    /// A factory of unstarted virtual threads of this scheduler.
    public ThreadFactory threadFactory() {
        CarrierPool pool = core.pool();
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
        return core.procs();
    }

    /// Changes the number of processors while goroutines keep running.
    public void setProcs(int procs) {
        core.setProcs(procs);
    }

    /// See [Go#main].
    void runMain(Go.Body body) throws Throwable {
        if (!(core instanceof Kernel kernel)) {
            throw new IllegalStateException("Go.main begins a program: call it on the JVM's main thread");
        }
        MainGoroutine.run(kernel, body);
    }

    /// See [Go#lockOSThread].
    void lockThread() {
        core.lockThread();
    }

    /// See [Go#unlockOSThread].
    void unlockThread() {
        core.unlockThread();
    }

    /// See [Go#numCPU].
    int numCpu() {
        return core.numCpu();
    }

    public String name() {
        return core.name();
    }

    /// A snapshot of the scheduler, taken without stopping it.
    public SchedulerStats stats() {
        return core.stats();
    }

    /// Closes the scheduler: refuses new goroutines and threads, waits until all live ones have ended, and then
    /// ends its carrier threads. An interrupt does not end the wait; the interrupt status is set again
    /// afterwards.
    ///
    /// Deadlines, timers and functions to start later ([Context#withTimeout], [Timer], [Context#afterFunc]) may
    /// outlive the scheduler that they were created on. The default scheduler runs what is due after the close.
    ///
    /// @throws IllegalStateException if this is the default scheduler, which ends with the JVM, or if the caller is
    ///     one of the scheduler's own goroutines or threads, for which it would wait
    @Override
    public void close() {
        if (DefaultScheduler.installed() == core.pool()) {
            throw new IllegalStateException("this scheduler runs every virtual thread of the JVM and cannot be closed");
        }
        if (defaultIfMade == this) {
            throw new IllegalStateException(
                    "this is the default scheduler: threads that have no other use it, so it cannot be closed");
        }
        if (Jdk.poolOf(Thread.currentThread()) == core.pool()) {
            throw new IllegalStateException("a goroutine of this scheduler cannot close it: it would wait for itself");
        }
        core.close();
        boolean interrupted = false;
        while (true) {
            try {
                if (core.awaitEnd(1, TimeUnit.DAYS)) {
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
        return core.pool().toString();
    }

    /// Opens files so that the kernel's own threads never wait for a lock of the JDK. Other threads open files
    /// in the ordinary way: the classes behind RawFile would otherwise be loaded before the agent's program
    /// starts. This is a class and not a lambda for the same reason.
    private static final class FileOpener implements SystemFiles.Opener {
        @Override
        public InputStream open(String path) throws IOException {
            return Thread.currentThread() instanceof KernelThread ? RawFile.open(path) : new FileInputStream(path);
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
            if (number < 1) {
                throw new IllegalArgumentException("maxThreads must be at least 1, not " + number);
            }
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
            JdkPollers.startOnDefaultScheduler();
            Kernel kernel = Kernel.start(options());
            Scheduler scheduler = new Scheduler(kernel);
            kernel.setHeir(new DefaultKernel());
            kernel.setFlightLink(new RecorderLink());
            try {
                startObservers();
            } catch (IllegalStateException refused) {
                scheduler.close(); // it has run nothing yet
                throw refused;
            }
            return scheduler;
        }

        /// Builds the scheduler and installs it to run every virtual thread of this JVM. The agent calls
        /// this. A program without the agent may call it before it uses any virtual thread.
        ///
        /// @throws IllegalStateException if the JVM has used virtual threads already, if a scheduler is
        ///     installed already, or if the JVM runs virtual threads as platform threads
        ///     (`-XX:-VMContinuations`)
        public Scheduler installAsDefault() {
            DefaultScheduler.requireVacant();
            watchStart();
            Kernel kernel = Kernel.start(options());
            Scheduler scheduler = new Scheduler(kernel);
            DefaultScheduler.install(kernel.pool());
            kernel.becomeDefault();
            kernel.setFlightLink(new RecorderLink());
            startObservers();
            return scheduler;
        }

        private KernelOptions options() {
            Settings.observe(); // a bad value is refused before anything is made
            String called = name != null ? name : "heddle-" + NUMBER.incrementAndGet();
            ProcsWatcher watcher =
                    ProcsWatcher.ofThisProcess(SystemFiles.real(new FileOpener()), ProcsSettings.ofThisProcess());
            String complaint = watcher.decision().settings().complaint();
            if (complaint != null && COMPLAINED.compareAndSet(false, true)) {
                System.err.println("heddle: " + complaint);
            }
            if (JvmArguments.isAny("-Dheddle.")) { // most programs have none, and need not load the check
                UnknownProperties.reportOnce();
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
