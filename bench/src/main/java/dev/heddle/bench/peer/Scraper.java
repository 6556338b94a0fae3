package dev.heddle.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;

/// Fetches the metrics of its own process every second, as an external client would.
public final class Scraper extends Thread {

    /// The property that enables it: the port of the metrics.
    public static final String PORT = "heddle.bench.scrape";

    private static final long PERIOD_MILLIS = 1_000;

    private final URL metrics;

    private Scraper(URL metrics) {
        super("heddle-bench-scraper");
        setDaemon(true);
        this.metrics = metrics;
    }

    static void startIfWanted() throws IOException {
        Integer port = Integer.getInteger(PORT);
        if (port != null) {
            new Scraper(URI.create("http://localhost:" + port + "/metrics").toURL()).start();
        }
    }

    @Override
    public void run() {
        try {
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
                try {
                    fetch(metrics);
                } catch (IOException e) {
                    System.err.println("heddle: the metrics cannot be fetched: " + e.getMessage());
                }
            }
        } catch (InterruptedException _) {
            // the process ends
        }
    }

    /// Fetches the metrics once and drops them.
    public static void fetch(URL metrics) throws IOException {
        try (InputStream in = metrics.openStream()) {
            in.readAllBytes();
        }
    }
}
