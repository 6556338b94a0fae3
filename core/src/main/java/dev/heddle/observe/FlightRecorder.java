package dev.heddle.observe;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Records from the first scheduler to the end of the JVM, window after window, if `-Dheddle.record=FILE` asks
/// for it. What `heddle run --doctor` starts.
public final class FlightRecorder extends Thread {

    private static final String FILE = "heddle.record";
    private static final long WINDOW_MILLIS = Long.getLong("heddle.record.millis", 3_000);

    /// A program that runs for days is watched without a gap at first, and then for moments.
    private static final long ENOUGH_BYTES = 32 << 20;

    private static final long REST_NANOS = 300_000_000_000L;

    private static final AtomicBoolean STARTED = new AtomicBoolean();

    private final Path file;
    private volatile boolean ending;

    private FlightRecorder(Path file) {
        super("heddle-recorder");
        this.file = file;
        setDaemon(true);
    }

    /// Called when a scheduler has been made and, if it is to be the JVM's, installed. Any thread.
    public static void startIfAsked() {
        String file = System.getProperty(FILE);
        if (file != null && STARTED.compareAndSet(false, true)) {
            var recorder = new FlightRecorder(Path.of(file));
            recorder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(recorder::end, "heddle-recorder-end"));
        }
    }

    /// The last window is cut short, and written before the JVM ends.
    private void end() {
        ending = true;
        try {
            join(2_000);
        } catch (InterruptedException _) {
            // without it then
        }
    }

    @Override
    public void run() {
        try (OutputStream out = Files.newOutputStream(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            awaitFirstWork();
            Recorder recorder = new Recorder();
            for (long written = 0; !ending; ) {
                byte[] window = Recording.toBytes(recorder.record(Duration.ofMillis(WINDOW_MILLIS), () -> ending));
                ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES + window.length);
                out.write(framed.putInt(window.length).put(window).array()); // at one go: readers see whole ones
                written += window.length;
                if (written > ENOUGH_BYTES) {
                    recorder = new Recorder(); // who is known now may be gone then
                    rest();
                }
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("heddle: recording to " + file + " has ended: " + e.getMessage());
        } catch (InterruptedException _) {
            // nobody does; then it is over
        }
    }

    private void rest() throws InterruptedException {
        long end = System.nanoTime() + REST_NANOS;
        while (!ending && System.nanoTime() < end) {
            Thread.sleep(100);
        }
    }

    /// The first window does not begin while the program is being compiled or its frameworks start.
    private void awaitFirstWork() throws InterruptedException {
        while (!ending
                && Schedulers.kernels().values().stream()
                        .allMatch(it -> it.stats().switches() == 0)) {
            Thread.sleep(20);
        }
    }

    /// The windows that a JVM has written so far, the oldest first; one that is not complete is left out.
    ///
    /// @throws IOException with one sentence, if they cannot be read
    public static List<List<Recording>> read(Path file) throws IOException {
        List<List<Recording>> windows = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(Files.exists(file) ? Files.readAllBytes(file) : new byte[0]);
        for (byte[] window = next(bytes); window != null; window = next(bytes)) {
            windows.add(Recording.fromBytes(window));
        }
        return windows;
    }

    private static byte @Nullable [] next(ByteBuffer bytes) {
        if (bytes.remaining() < Integer.BYTES) {
            return null;
        }
        int length = bytes.getInt();
        if (length > bytes.remaining()) {
            return null;
        }
        byte[] window = new byte[length];
        bytes.get(window);
        return window;
    }
}
