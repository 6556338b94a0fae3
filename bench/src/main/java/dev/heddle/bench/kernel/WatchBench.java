package dev.heddle.bench.kernel;

import static java.util.Objects.requireNonNull;

import com.sun.management.OperatingSystemMXBean;
import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.Select;
import dev.heddle.WaitGroup;
import dev.heddle.bench.peer.Scraper;
import dev.heddle.internal.observe.SampleWindow;
import dev.heddle.internal.observe.Sampler;
import dev.heddle.internal.procs.CpuSet;
import dev.heddle.internal.procs.LinuxCalls;
import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.procs.ProcsWatcher;
import dev.heddle.internal.procs.SystemFiles;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// The cost of a recording doctor, and of metrics that are fetched every second.
///
/// *Share*: the CPU time of all threads that are not carriers, relative to the CPU time of the whole process, minus the
/// same share without a watcher. *Time*: the CPU time of the whole process per operation, divided by its value without
/// a watcher; both are minima over all turns. The share is exact to a tenth of a percent. The time would show what the
/// share does not: goroutines that become slower because they are watched. It is only as precise as the host is steady.
///
/// All three variants take turns in one JVM, with one scheduler, on one CPU. Two JVMs differ by more than the effect,
/// because each compiles its code differently. The cost on two cores depends on how far apart the host has placed them.
///
/// Arguments: rounds, seconds per turn, the address of the metrics.
public final class WatchBench {

    private static final int WARM_UPS = 2;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /// Runs operations until `stop` is set, and returns their number.
    @FunctionalInterface
    private interface Load {
        long runUntil(AtomicBoolean stop) throws InterruptedException;
    }

    /// Watches for this many milliseconds.
    @FunctionalInterface
    private interface Watcher {
        void watch(long millis) throws InterruptedException, IOException;
    }

    private final Scheduler scheduler;
    private final int rounds;
    private final long millis;
    private final List<Watcher> watchers;

    /// CPU time of watchers that have ended.
    private volatile long watcherNanos;

    private WatchBench(Scheduler scheduler, int rounds, long millis, URL metrics) {
        this.scheduler = scheduler;
        this.rounds = rounds;
        this.millis = millis;
        this.watchers = List.of(Thread::sleep, WatchBench::record, duration -> fetch(metrics, duration));
    }

    /// What `heddle doctor` has a JVM do.
    private static void record(long millis) throws InterruptedException {
        List<SampleWindow> _ = new Sampler().record(Duration.ofMillis(millis), () -> false);
    }

    public static void main(String[] args) throws Exception {
        stayOnOneCpu();
        WatchBench bench = new WatchBench(
                Scheduler.builder().name("watched").procs(1).build(),
                Integer.parseInt(args[0]),
                Long.parseLong(args[1]) * 1_000,
                URI.create(args[2]).toURL());
        System.out.println("CPU time        unwatched   doctor           metrics");
        System.out.println("                            share    time    share    time");
        bench.compare("ping-pong", WatchBench::pingPong);
        bench.compare("ring of 1,000", WatchBench::ring);
        bench.compare("select of 4", WatchBench::select);
        bench.compare("spawn and join", WatchBench::spawn);
        System.exit(0); // the other threads need not end
    }

    /// Pins this thread to one CPU. Threads that are started later inherit this.
    private static void stayOnOneCpu() {
        LinuxCalls calls = LinuxCalls.load(() -> {});
        CpuSet allowed = ProcsWatcher.ofThisProcess(SystemFiles.real(), ProcsSettings.ofThisProcess())
                .limits()
                .affinity();
        String problem =
                allowed == null ? "it is not known which there are" : calls.setAffinity(0, CpuSet.of(allowed.next(0)));
        if (problem != null) {
            System.err.println("heddle: cannot stay on one CPU, where this is measured: " + problem + ".");
            System.exit(1);
        }
    }

    /// @param nanos CPU time of the process per operation
    /// @param share the share of that time that was not the carriers'
    private record Turn(double nanos, double share) {}

    private void compare(String name, Load load) throws InterruptedException {
        List<List<Turn>> turns = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (int i = 0; i < turns.size(); i++) {
                int who = Math.floorMod(round + i, turns.size());
                Turn turn = turn(load, watchers.get(who));
                if (round >= 0) {
                    turns.get(who).add(turn);
                }
            }
        }
        List<Turn> unwatched = turns.get(0);
        double least = least(unwatched);
        double share = medianShare(unwatched);
        System.out.printf("%-15s %6.0f ns", name, least);
        for (List<Turn> watched : turns.subList(1, turns.size())) {
            System.out.printf("   %5.2f %%  x%.2f", 100 * (medianShare(watched) - share), least(watched) / least);
        }
        System.out.println();
    }

    /// Runs the load while the watcher watches. The operations until the load has stopped count as well.
    private Turn turn(Load load, Watcher watcher) throws InterruptedException {
        System.gc();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong operations = new AtomicLong();
        CountDownLatch ended = new CountDownLatch(1);
        Thread watching = Thread.ofPlatform().unstarted(() -> {
            try {
                watcher.watch(millis);
                watcherNanos += THREADS.getCurrentThreadCpuTime();
            } catch (InterruptedException | IOException e) {
                throw new IllegalStateException("the watcher failed", e);
            }
        });
        long before = PROCESS.getProcessCpuTime();
        double othersBefore = othersNanos();
        scheduler.go(() -> {
            operations.set(load.runUntil(stop));
            ended.countDown();
        });
        watching.start();
        watching.join();
        stop.set(true);
        ended.await();
        double whole = PROCESS.getProcessCpuTime() - before;
        return new Turn(whole / operations.get(), (othersNanos() - othersBefore) / whole);
    }

    /// CPU time of the threads that are not carriers, including watchers that have ended.
    private double othersNanos() {
        double sum = watcherNanos;
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && !thread.getThreadName().startsWith(scheduler.name())) {
                sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return sum;
    }

    private static void fetch(URL metrics, long millis) throws InterruptedException, IOException {
        for (long left = millis; left > 0; left -= 1_000) {
            Thread.sleep(Math.min(left, 1_000));
            Scraper.fetch(metrics);
        }
    }

    /// The CPU time of an operation without disturbance: the minimum, because other processes can only add to
    /// it, while a watcher is present in every turn.
    private static double least(List<Turn> turns) {
        return turns.stream().mapToDouble(Turn::nanos).min().orElseThrow();
    }

    private static double medianShare(List<Turn> turns) {
        double[] sorted = turns.stream().mapToDouble(Turn::share).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    // ---- loads

    private static long pingPong(AtomicBoolean stop) throws InterruptedException {
        Chan<Long> there = Chan.make();
        Chan<Long> back = Chan.make();
        Go.go(() -> {
            for (long value : there) {
                back.send(value + 1);
            }
        });
        long count = 0;
        while (!stop.get()) {
            there.send(count);
            count = requireNonNull(back.receive());
        }
        there.close();
        return count;
    }

    private static long ring(AtomicBoolean stop) throws InterruptedException {
        Chan<Long> first = Chan.make();
        Chan<Long> last = first;
        for (int i = 0; i < 1_000; i++) {
            last = node(last);
        }
        long count = 0;
        while (!stop.get()) {
            first.send(count);
            count = requireNonNull(last.receive());
        }
        first.close();
        return count;
    }

    private static Chan<Long> node(Chan<Long> in) {
        Chan<Long> out = Chan.make();
        Go.go(() -> {
            for (long value : in) {
                out.send(value + 1);
            }
            out.close();
        });
        return out;
    }

    private static long select(AtomicBoolean stop) throws InterruptedException {
        Chan<Boolean> done = Chan.make();
        Select.Case[] cases = new Select.Case[4];
        for (int i = 0; i < cases.length; i++) {
            Chan<Long> chan = Chan.make();
            cases[i] = Select.receive(chan);
            Go.go(() -> {
                for (long value = 0; ; value++) {
                    if (Select.select(Select.send(chan, value), Select.receive(done)) instanceof Select.Receive<?>) {
                        return;
                    }
                }
            });
        }
        long count = 0;
        for (; !stop.get(); count++) {
            Select.select(cases);
        }
        done.close();
        return count;
    }

    private static long spawn(AtomicBoolean stop) throws InterruptedException {
        long count = 0;
        while (!stop.get()) {
            WaitGroup group = new WaitGroup();
            for (int i = 0; i < 1_000; i++) {
                group.go(() -> {});
            }
            group.await();
            count += 1_000;
        }
        return count;
    }
}
