package dev.heddle.internal.procs;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A program that tests start in a cgroup, or under `taskset`, and ask questions on its standard input. Its clock is
/// simulated and advances by a second at each poll, so that tests need not wait. Its argument is a list of CPUs to
/// pretend to have, or `-`.
final class ProcsProbe {
    private static final long BURN_NANOS = 20_000_000;
    private static final long BURN_LIMIT_NANOS = 60_000_000_000L;

    private final ProcsWatcher watcher;
    private long nowNanos;

    private ProcsProbe(SystemFiles files) {
        watcher = new ProcsWatcher(files, ProcsSettings.ofThisProcess(), 1, nowNanos);
    }

    /// @param cpus a list of CPUs to pretend to have, or `-` for the real ones
    /// @param prefix words before `java`, such as `taskset -c 0`
    static LiveJvm start(String cpus, String... prefix) throws IOException {
        return ChildJvm.withoutFlags(ProcsProbe.class, cpus)
                .option("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .under(prefix)
                .start();
    }

    public static void main(String[] args) throws IOException {
        ProcsProbe probe = new ProcsProbe(args[0].equals("-") ? SystemFiles.real() : new PretendedCpus(args[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            System.out.println(probe.answer(line));
        }
    }

    private String answer(String question) {
        return switch (question) {
            case "poll" -> {
                int answer = poll();
                yield (answer == ProcsWatcher.UNCHANGED ? "unchanged " : "changed ")
                        + watcher.decision().explain();
            }
            case "throttled" ->
                watcher.isThrottledNow() + " " + watcher.limits().throttling();
            case "spinning" -> String.valueOf(watcher.spinningWastesQuota());
            case "burn" -> burnUntilThrottled();
            default -> throw new IllegalArgumentException(question);
        };
    }

    private int poll() {
        nowNanos += ProcsWatcher.INTERVAL_NANOS;
        return watcher.poll(nowNanos);
    }

    private String burnUntilThrottled() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < BURN_LIMIT_NANOS) {
            for (long from = System.nanoTime(); System.nanoTime() - from < BURN_NANOS; ) {
                Thread.onSpinWait();
            }
            poll();
            if (watcher.isThrottledNow()) {
                return "throttled";
            }
        }
        return "not throttled within a minute";
    }

    /// The machine's files, but for the list of CPUs: quotas above the test machine's few CPUs would not show.
    private record PretendedCpus(String list) implements SystemFiles {
        @Override
        public @Nullable String read(String path) throws IOException {
            return path.equals(CpuLimitsReader.STATUS)
                    ? "Name:\tprobe\nCpus_allowed_list:\t" + list + "\n"
                    : SystemFiles.real().read(path);
        }
    }
}
