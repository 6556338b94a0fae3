// problem: The cache loads a missing price inside ConcurrentHashMap.computeIfAbsent, which holds the bin while a slow
//     remote call runs; readers of the same bin wait.
// place: PriceCache.price
// place: PriceCache.load
// remedy: Put a future into the map and load outside it, so that the map is never held during the call.

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Answers price requests for 12 instruments out of a cache that forgets its prices twice a second. */
public final class PriceFeed {

    static final class PriceCache {
        private final ConcurrentHashMap<String, Double> prices = new ConcurrentHashMap<>();
        private final int exchange;

        PriceCache(int exchange) {
            this.exchange = exchange;
        }

        double price(String instrument) {
            return prices.computeIfAbsent(instrument, this::load);
        }

        private double load(String instrument) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), exchange)) {
                socket.getOutputStream().write((instrument + "\n").getBytes(StandardCharsets.US_ASCII));
                return Double.parseDouble(new String(socket.getInputStream().readAllBytes()));
            } catch (IOException e) {
                throw new IllegalStateException("no price for " + instrument, e);
            }
        }

        void forget() {
            prices.clear();
        }
    }

    private static int startExchange() throws IOException {
        var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try {
                    Socket socket = listener.accept();
                    Thread.ofPlatform().daemon().start(() -> quote(socket));
                } catch (IOException e) {
                    return;
                }
            }
        });
        return listener.getLocalPort();
    }

    private static void quote(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            int hash = 0;
            for (int c = in.read(); c > ' '; c = in.read()) {
                hash = hash * 31 + c;
            }
            Thread.sleep(700);
            socket.getOutputStream().write(Double.toString(Math.abs(hash % 10_000) / 100.0).getBytes());
        } catch (IOException | InterruptedException e) {
            System.err.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        var cache = new PriceCache(startExchange());
        var answered = new LongAdder();
        for (int i = 0; i < 150; i++) {
            Thread.startVirtualThread(() -> {
                while (true) {
                    cache.price("ISIN-" + ThreadLocalRandom.current().nextInt(12));
                    answered.increment();
                    try {
                        Thread.sleep(5);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            });
        }
        while (true) {
            Thread.sleep(500);
            cache.forget();
        }
    }
}
