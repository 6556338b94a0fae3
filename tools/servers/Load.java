import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Load for the shop: `Load PORT CLIENTS BURNERS WARM SECONDS`. Prints requests per second, p50, p99 and failures of the clients that ask
/// for items, while the burners ask for computing; of the last SECONDS, after so many to warm both sides up.
public final class Load {

    private Load() {}

    public static void main(String[] args) throws InterruptedException {
        String shop = "http://localhost:" + args[0];
        int clients = Integer.parseInt(args[1]);
        int burners = Integer.parseInt(args[2]);
        long warm = Long.parseLong(args[3]) * 1_000_000_000;
        long nanos = Long.parseLong(args[4]) * 1_000_000_000;
        AtomicInteger failures = new AtomicInteger();
        HttpClient http = HttpClient.newHttpClient();
        long begin = System.nanoTime() + warm;
        long end = begin + nanos;
        List<Thread> threads = new ArrayList<>();
        List<long[]> latencies = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            int client = i;
            long[] mine = new long[100_000];
            latencies.add(mine);
            threads.add(Thread.startVirtualThread(() -> {
                long start;
                for (int n = 0; n < mine.length && (start = System.nanoTime()) < end; n++) {
                    get(http, shop + "/item/" + (1 + (client * 31 + n) % 1000), "\"NAME\":\"item ", failures);
                    if (start >= begin) {
                        mine[n] = System.nanoTime() - start;
                    }
                }
            }));
        }
        for (int i = 0; i < burners; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                while (System.nanoTime() < end) {
                    get(http, shop + "/burn", "", failures);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long[] all = latencies.stream()
                .flatMapToLong(Arrays::stream)
                .filter(it -> it > 0)
                .sorted()
                .toArray();
        System.out.printf(
                "%6.0f requests/s, p50 %5.1f ms, p99 %6.1f ms, %d failures%n",
                all.length / (nanos / 1e9), all[all.length / 2] / 1e6, all[all.length * 99 / 100] / 1e6, failures.get());
    }

    private static void get(HttpClient http, String uri, String expected, AtomicInteger failures) {
        try {
            var response = http.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString());
            if (response.statusCode() != 200 || !response.body().contains(expected)) {
                failures.incrementAndGet();
            }
        } catch (IOException | InterruptedException e) {
            failures.incrementAndGet();
        }
    }
}
