import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Generates load for shops that run at the same time. The shops take turns, so that the figures to be compared come
/// from the same minute:
///
///     Load WARM ROUNDS SECONDS RESULTS LABEL=PORT ...    appends to the file RESULTS, after WARM seconds for each shop
///     Load cold SECONDS RESULTS LABEL=PORT               the same for one new shop, from the first request on
///     Load RESULTS                                       prints medians, quartiles, and ratios to the first label
public final class Load {

    private static final String ITEMS = "items";
    private static final String BURNING = "with burning";
    private static final int CLIENTS = 32;
    private static final int BURNERS = 4;
    private static final double SETTLE_SECONDS = 0.5;

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger failures = new AtomicInteger();

    private Load() {}

    public static void main(String[] args) throws Exception {
        if (args[0].equals("cold")) {
            String[] shop = args[3].split("=");
            new Load().measureOnce(shop, 0, Double.parseDouble(args[1]), Path.of(args[2]));
        } else if (args.length == 1) {
            report(Files.readAllLines(Path.of(args[0])).stream().map(Turn::parse).toList());
        } else {
            new Load().measure(args);
        }
        System.exit(0);
    }

    /// One shop under one kind of load, for some seconds.
    private record Turn(String what, String label, double rate, double p50, double p99, int failures) {

        static Turn parse(String line) {
            String[] f = line.split("\t", -1);
            return new Turn(
                    f[0],
                    f[1],
                    Double.parseDouble(f[2]),
                    Double.parseDouble(f[3]),
                    Double.parseDouble(f[4]),
                    Integer.parseInt(f[5]));
        }

        String line() {
            return String.join("\t", what, label, "" + rate, "" + p50, "" + p99, "" + failures);
        }
    }

    private void measure(String[] args) throws Exception {
        double warm = Double.parseDouble(args[0]);
        int rounds = Integer.parseInt(args[1]);
        double seconds = Double.parseDouble(args[2]);
        Path results = Path.of(args[3]);
        List<String[]> shops = Arrays.stream(args).skip(4).map(it -> it.split("=")).toList();
        for (int half = 0; half < 2; half++) { // so that the client is warm for the second half of the first shop too
            for (String[] shop : shops) {
                ask(shop[1], 0, warm / 2);
            }
        }
        for (int round = 0; round < rounds; round++) {
            for (int burners : new int[] {0, BURNERS}) {
                for (int i = 0; i < shops.size(); i++) {
                    String[] shop = shops.get((round + i) % shops.size());
                    ask(shop[1], burners, SETTLE_SECONDS);
                    measureOnce(shop, burners, seconds, results);
                }
            }
        }
    }

    private void measureOnce(String[] shop, int burners, double seconds, Path results) throws Exception {
        failures.set(0);
        long[] nanos = ask(shop[1], burners, seconds);
        Turn turn = new Turn(
                burners == 0 ? ITEMS : BURNING,
                shop[0],
                nanos.length / seconds,
                nanos[nanos.length / 2] / 1e6,
                nanos[nanos.length * 99 / 100] / 1e6,
                failures.get());
        Files.writeString(results, turn.line() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /// The durations of the requests for an item, sorted.
    private long[] ask(String port, int burners, double seconds) throws InterruptedException {
        String shop = "http://localhost:" + port;
        long end = System.nanoTime() + (long) (seconds * 1e9);
        long[][] latencies = new long[CLIENTS][];
        Thread[] threads = new Thread[CLIENTS + burners];
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            threads[i] = Thread.startVirtualThread(() -> {
                long[] mine = new long[1_000];
                int n = 0;
                for (long start = System.nanoTime(); start < end; start = System.nanoTime()) {
                    get(shop + "/item/" + (1 + (client * 31 + n) % 1000), "\"NAME\":\"item ");
                    mine = n < mine.length ? mine : Arrays.copyOf(mine, 2 * n);
                    mine[n++] = System.nanoTime() - start;
                }
                latencies[client] = Arrays.copyOf(mine, n);
            });
        }
        for (int i = CLIENTS; i < threads.length; i++) {
            threads[i] = Thread.startVirtualThread(() -> {
                while (System.nanoTime() < end) {
                    get(shop + "/burn", "");
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return Arrays.stream(latencies).flatMapToLong(Arrays::stream).sorted().toArray();
    }

    private void get(String uri, String expected) {
        try {
            var response = http.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString());
            if (response.statusCode() != 200 || !response.body().contains(expected)) {
                failures.incrementAndGet();
            }
        } catch (IOException | InterruptedException e) {
            failures.incrementAndGet();
        }
    }

    private static void report(List<Turn> turns) {
        List<String> labels = turns.stream().map(Turn::label).distinct().toList();
        for (String what : List.of(ITEMS, BURNING)) {
            List<Turn> first = of(turns, what, labels.getFirst());
            if (first.isEmpty()) {
                continue; // cold shops get no requests to burn
            }
            for (String label : labels) {
                List<Turn> mine = of(turns, what, label);
                System.out.printf(
                        "%-13s %-20s %s requests/s, p50 %s ms, p99 %s ms, %d turns, %d failures%n",
                        what,
                        label,
                        quartiles("%.0f", mine.stream().mapToDouble(Turn::rate)),
                        quartiles("%.1f", mine.stream().mapToDouble(Turn::p50)),
                        quartiles("%.1f", mine.stream().mapToDouble(Turn::p99)),
                        mine.size(),
                        mine.stream().mapToInt(Turn::failures).sum());
                if (!label.equals(labels.getFirst())) {
                    System.out.printf(
                            "%-13s %-20s %s times the requests, p99 %s times%n",
                            "",
                            "  to " + labels.getFirst(),
                            quartiles("%.2f", ratios(mine, first, Turn::rate)),
                            quartiles("%.2f", ratios(mine, first, Turn::p99)));
                }
            }
        }
    }

    private static List<Turn> of(List<Turn> turns, String what, String label) {
        return turns.stream()
                .filter(it -> it.what.equals(what) && it.label.equals(label))
                .toList();
    }

    /// Ratios of the turns of the same round.
    private static DoubleStream ratios(List<Turn> mine, List<Turn> first, ToDoubleFunction<Turn> figure) {
        return IntStream.range(0, mine.size())
                .mapToDouble(i -> figure.applyAsDouble(mine.get(i)) / figure.applyAsDouble(first.get(i)));
    }

    /// The median and both quartiles.
    private static String quartiles(String format, DoubleStream figures) {
        double[] sorted = figures.sorted().toArray();
        return (format + " (" + format + " to " + format + ")")
                .formatted(sorted[sorted.length / 2], sorted[sorted.length / 4], sorted[sorted.length * 3 / 4]);
    }
}
