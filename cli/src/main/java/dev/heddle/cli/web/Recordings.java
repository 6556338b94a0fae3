package dev.heddle.cli.web;

import dev.heddle.client.JvmConnection;
import dev.heddle.internal.observe.TraceAnswer;
import dev.heddle.trace.Recording;
import dev.heddle.trace.page.TracePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Traces that a page has asked for: one at a time, each as a page of its own. They are deleted with the dashboard.
final class Recordings implements AutoCloseable {

    static final int LONGEST_SECONDS = 60;

    /// Older ones are deleted: their pages stay in the browser.
    private static final int KEPT = 3;

    private final long pid;
    private final TreeMap<Integer, Path> pages = new TreeMap<>(); // guarded by this object's monitor
    private @Nullable Path folder; // guarded by this object's monitor
    private @Nullable Thread thread; // guarded by this object's monitor
    private int lastNumber; // guarded by this object's monitor
    private String sentence = ""; // guarded by this object's monitor

    Recordings(long pid) {
        this.pid = pid;
    }

    /// Begins a trace. False if one is being made.
    synchronized boolean start(Duration duration) {
        if (thread != null) {
            return false;
        }
        int number = ++lastNumber;
        sentence = "";
        thread = Thread.ofPlatform().daemon().name("heddle-web-trace").start(() -> {
            try {
                add(number, record(number, duration));
                finished("");
            } catch (IOException | RuntimeException e) {
                finished(String.valueOf(e.getMessage()));
            } catch (OutOfMemoryError _) {
                finished("The trace is too large for the memory of heddle web: record for a shorter time.");
            }
        });
        return true;
    }

    private Path record(int number, Duration duration) throws IOException {
        Path page = folder().resolve(number + ".html");
        try (JvmConnection jvm = JvmConnection.attach(pid)) {
            TraceAnswer answer = jvm.trace(duration, /* stacks= */ null);
            TracePage.write(Recording.open(Path.of(answer.file())), page);
        }
        return page;
    }

    private synchronized Path folder() throws IOException {
        Path existing = folder;
        if (existing == null) {
            existing = Files.createTempDirectory("heddle-web");
            folder = existing;
        }
        return existing;
    }

    private synchronized void add(int number, Path page) throws IOException {
        pages.put(number, page);
        while (pages.size() > KEPT) {
            Path oldest = pages.remove(pages.firstKey());
            if (oldest != null) {
                Files.deleteIfExists(oldest);
            }
        }
    }

    private synchronized void finished(String failure) {
        thread = null;
        sentence = failure;
    }

    /// The page of a trace.
    ///
    /// @throws IOException with one sentence, if there is none of that number
    synchronized byte[] page(int number) throws IOException {
        Path page = pages.get(number);
        if (page == null) {
            throw new IOException("There is no trace " + number + " any more: record another one.");
        }
        return Files.readAllBytes(page);
    }

    /// Whether one is being made, the number of the last one that is complete, and why the last one failed.
    synchronized Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("isRecording", thread != null);
        document.put("last", pages.isEmpty() ? 0 : pages.lastKey());
        document.put("problem", sentence);
        return document;
    }

    @Override
    public void close() throws IOException {
        Path made;
        synchronized (this) {
            made = folder;
        }
        if (made != null) {
            try (Stream<Path> files = Files.walk(made)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
