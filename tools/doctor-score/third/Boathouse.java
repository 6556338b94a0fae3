// problem: The weather service is down and refuses each connection at once. The client tries again in the same
//     moment, without a pause or a limit: six boats burn the processors with thousands of failed connections in a
//     second.
// place: Forecast.load
// place: Forecast.ask
// remedy: Wait between attempts, longer each time and with some randomness, and give up after some (circuit
//     breaker).
// named: a loop that fails and tries again without a pause, or that burns CPU with failing connects, at one of the
//     places
// half: a computing thread or a hot loop, without the place or without the failing attempts
// false: a deadlock, a lock, a slow peer, too many threads
// shows: attempts grows by thousands in each second, and forecasts is 0
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

public class Boathouse {

    static final class Forecast {
        private final InetSocketAddress service;
        private final LongAdder attempts = new LongAdder();
        private final LongAdder failures = new LongAdder();

        Forecast(InetSocketAddress service) {
            this.service = service;
        }

        String load(String lake) {
            Optional<String> answer = Optional.empty();
            while (answer.isEmpty()) {
                attempts.increment();
                try {
                    answer = Optional.of(ask(lake));
                } catch (UncheckedIOException e) {
                    failures.increment(); // try again
                }
            }
            return answer.get();
        }

        private String ask(String lake) {
            try (var socket = new Socket()) {
                socket.connect(service, 2_000);
                socket.getOutputStream().write((lake + "\n").getBytes());
                return new String(socket.getInputStream().readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException("no forecast for " + lake, e);
            }
        }
    }

    /// Where the service was until a moment ago.
    private static InetSocketAddress oldAddress() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
        }
    }

    private static void rent(LongAdder rented) {
        try {
            while (true) {
                Thread.sleep(80);
                rented.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        var forecast = new Forecast(oldAddress());
        var forecasts = new LongAdder();
        var rented = new LongAdder();
        for (int i = 0; i < 6; i++) {
            String lake = "lake " + i;
            Thread.ofVirtual().name("boat-" + i).start(() -> {
                while (!forecast.load(lake).isEmpty()) {
                    forecasts.increment();
                }
            });
        }
        for (int i = 0; i < 8; i++) {
            Thread.ofVirtual().name("desk-" + i).start(() -> rent(rented));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "rented %d, forecasts %d, attempts %d, failed %d%n",
                    rented.sum(), forecasts.sum(), forecast.attempts.sum(), forecast.failures.sum());
        }
    }
}
