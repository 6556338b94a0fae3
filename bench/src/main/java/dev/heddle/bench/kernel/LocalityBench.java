package dev.heddle.bench.kernel;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.WaitGroup;
import dev.heddle.internal.jdk.Jdk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/// The cost of being stolen: a working set is warm in the cache of the core that the goroutine leaves.
///
/// *A task and its set.* A goroutine walks through a set of cache lines and changes each of them until they are warm.
/// Then it starts a child that walks through the same set. If the parent then waits, the child runs on the same
/// processor; if it computes, the child is stolen. The carrier threads tell which of the two happened.
///
/// *Churn and workers.* The rows of a matrix are changed repeatedly: by one goroutine for each row, and by one worker
/// for each processor with neighbouring rows.
///
/// Argument: rounds. Run with procs=2 or more, preferably pinned (`-Dheddle.pin=auto`); otherwise two threads may share
/// a core.
public final class LocalityBench {

    private static final int LINE_BYTES = 64;
    private static final int LONGS_PER_LINE = LINE_BYTES / Long.BYTES;
    private static final int[] KILOBYTES = {16, 64, 256, 1024, 4096};
    private static final long STEAL_PATIENCE_NANOS = 20_000_000;

    private LocalityBench() {}

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        CompletableFuture<Void> end = new CompletableFuture<>();
        Go.go(() -> {
            try {
                compareWalks(rounds);
                compareChurn(rounds);
                end.complete(null);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        end.get();
        System.exit(0); // the other threads need not end
    }

    // ---- a task and its set

    private static void compareWalks(int rounds) throws InterruptedException {
        System.out.println("working set   same processor   stolen         a steal costs   of so many walks");
        for (int kilobytes : KILOBYTES) {
            long[] set = randomCycle(kilobytes * 1024 / LINE_BYTES);
            List<Double> local = new ArrayList<>();
            List<Double> stolen = new ArrayList<>();
            for (int i = 0; i < 40 * rounds; i++) {
                boolean mayBeStolen = i % 2 == 0;
                Walk walk = childWalk(set, mayBeStolen);
                (walk.isStolen ? stolen : local).add(walk.nanos * LONGS_PER_LINE / set.length);
            }
            double here = median(local);
            double there = median(stolen);
            System.out.printf(
                    "%8d KB   %6.2f ns/line   %6.2f ns/line   %8.1f µs    %d, %d%n",
                    kilobytes,
                    here,
                    there,
                    (there - here) * set.length / LONGS_PER_LINE / 1e3,
                    local.size(),
                    stolen.size());
        }
    }

    private record Walk(boolean isStolen, double nanos) {}

    private static Walk childWalk(long[] set, boolean mayBeStolen) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            walk(set);
        }
        Thread here = Jdk.currentCarrierThread();
        Chan<Walk> result = Chan.make(1);
        Go.go(() -> {
            Thread carrier = Jdk.currentCarrierThread();
            long start = System.nanoTime();
            walk(set);
            result.send(new Walk(carrier != here, System.nanoTime() - start));
        });
        long start = System.nanoTime();
        while (mayBeStolen && result.len() == 0 && System.nanoTime() - start < STEAL_PATIENCE_NANOS) {
            Thread.onSpinWait();
        }
        return Objects.requireNonNull(result.receive());
    }

    /// One long of each line names the next line of a random cycle. The CPU cannot predict it, so it has to
    /// wait for each line.
    private static long[] randomCycle(int lines) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(42));
        long[] set = new long[lines * LONGS_PER_LINE];
        for (int i = 0; i < lines; i++) {
            set[order.get(i) * LONGS_PER_LINE] = order.get((i + 1) % lines) * (long) LONGS_PER_LINE;
        }
        return set;
    }

    private static void walk(long[] set) {
        int at = 0;
        do {
            set[at + 1]++;
            at = (int) set[at];
        } while (at != 0);
    }

    // ---- churn and workers

    private static void compareChurn(int rounds) throws InterruptedException {
        int procs = Go.gomaxprocs(0);
        long[][] matrix = new long[512][512]; // 4 KB a row
        List<Double> churn = new ArrayList<>();
        List<Double> workers = new ArrayList<>();
        for (int i = 0; i < 20 * rounds; i++) {
            long start = System.nanoTime();
            WaitGroup group = new WaitGroup();
            for (long[] row : matrix) {
                group.go(() -> transform(row));
            }
            group.await();
            long middle = System.nanoTime();
            for (int worker = 0; worker < procs; worker++) {
                int first = matrix.length * worker / procs;
                int last = matrix.length * (worker + 1) / procs;
                group.go(() -> {
                    for (int row = first; row < last; row++) {
                        transform(matrix[row]);
                    }
                });
            }
            group.await();
            churn.add((double) (middle - start) / matrix.length);
            workers.add((double) (System.nanoTime() - middle) / matrix.length);
        }
        System.out.printf(
                "%nrows of 4 KB, %d of them: %.0f ns with a goroutine for each, %.0f ns with %d workers%n",
                matrix.length, median(churn), median(workers), procs);
    }

    private static void transform(long[] row) {
        for (int i = 0; i < row.length; i++) {
            row[i] = row[i] * 31 + i;
        }
    }

    private static double median(List<Double> values) {
        return values.isEmpty() ? Double.NaN : values.stream().sorted().toList().get(values.size() / 2);
    }
}
