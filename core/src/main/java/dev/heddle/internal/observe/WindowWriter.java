package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.ProgramHooks;
import dev.heddle.internal.kernel.KernelThread;
import dev.heddle.internal.settings.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Records from the first scheduler to the end of the JVM, window after window, if `-Dheddle.record=FILE` is set.
/// `heddle run --doctor` uses it.
public final class WindowWriter extends Thread implements KernelThread {

    private static final long WINDOW_MILLIS = Settings.recordMillis();

    /// Recording has no gaps until this many bytes are written. After that there is a pause after each window,
    /// so that a program can run for days.
    private static final long ENOUGH_BYTES = 32 << 20;

    private static final long REST_NANOS = 300_000_000_000L;

    private static final AtomicBoolean STARTED = new AtomicBoolean();

    /// After a window for which there was no memory.
    private static final long MEMORY_PAUSE_MILLIS = 100;

    private final Path file;
    private volatile boolean ending;

    /// Takes the windows; null before the first one and after a pause. Used by this thread only.
    private @Nullable Sampler sampler;

    /// A sentence that can be printed without memory.
    private final byte[] memoryRanOut;

    private boolean hasSaidSo;

    private WindowWriter(Path file) {
        super(null, null, "heddle-recorder", 0, /* inheritInheritableThreadLocals= */ false);
        this.file = file;
        memoryRanOut = ("heddle: memory ran out: the recording to " + file + " leaves out a part.\n")
                .getBytes(StandardCharsets.UTF_8);
        setDaemon(true);
    }

    /// Called when a scheduler has been created and, if it is to be the JVM's default, installed. Any thread.
    public static void startIfAsked() {
        String file = Settings.recordFile();
        if (file != null && STARTED.compareAndSet(false, true)) {
            var recorder = new WindowWriter(Path.of(file));
            recorder.start();
            ProgramHooks.addOwn("heddle-recorder-end", recorder::end);
        }
    }

    /// Cuts the last window short, and waits up to 2 s for it to be written before the JVM ends.
    private void end() {
        ending = true;
        try {
            join(2_000);
        } catch (InterruptedException _) {
            // the last window may be lost
        }
    }

    @Override
    public void run() {
        try (OutputStream out = Files.newOutputStream(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (long written = 0; !ending; ) {
                try {
                    written += writeWindow(out);
                } catch (OutOfMemoryError _) {
                    leaveOut();
                }
                if (written > ENOUGH_BYTES) {
                    sampler = null; // threads known to it may be gone after the pause
                    rest();
                }
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("heddle: recording to " + file + " has ended: " + e.getMessage());
        } catch (InterruptedException _) {
            // no code interrupts this thread; if one did, recording ends
        }
    }

    /// Returns the number of bytes.
    private int writeWindow(OutputStream out) throws IOException, InterruptedException {
        Sampler with = sampler;
        if (with == null) {
            awaitFirstWork();
            with = new Sampler();
            sampler = with;
        }
        byte[] window = toBytes(with.record(Duration.ofMillis(WINDOW_MILLIS), () -> ending));
        out.write(window); // one write: readers see whole windows
        return window.length;
    }

    /// Goes on after a window for which there was no memory: a program that exhausts it is what the doctor is for.
    private void leaveOut() throws InterruptedException {
        try {
            sampler = null; // it may be in the middle of a dump
            if (!hasSaidSo) {
                System.err.write(memoryRanOut, 0, memoryRanOut.length);
                hasSaidSo = true;
            }
            Thread.sleep(MEMORY_PAUSE_MILLIS);
        } catch (OutOfMemoryError _) {
            // the next window that fails prints the sentence
        }
    }

    private void rest() throws InterruptedException {
        long end = System.nanoTime() + REST_NANOS;
        while (!ending && System.nanoTime() < end) {
            Thread.sleep(100);
        }
    }

    /// Delays the first window until a goroutine or virtual thread has run: not while the program is being
    /// compiled or its frameworks start.
    private void awaitFirstWork() throws InterruptedException {
        while (!ending
                && SchedulerReader.kernels().values().stream()
                        .allMatch(it -> it.stats().switches() == 0)) {
            Thread.sleep(20);
        }
    }

    private static byte[] toBytes(List<SampleWindow> recording) throws IOException {
        StringBuilder lines = new StringBuilder();
        new RecordingWriter(line -> lines.append(line).append('\n')).write(recording);
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// The windows that a JVM has written so far, the oldest first; an incomplete one is left out.
    ///
    /// @throws IOException if the file cannot be read
    public static List<List<SampleWindow>> read(Path file) throws IOException {
        List<List<SampleWindow>> windows = new ArrayList<>();
        if (!Files.exists(file)) {
            return windows;
        }
        RecordingReader reader = new RecordingReader();
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                List<SampleWindow> window = reader.read(line);
                if (window != null) {
                    windows.add(window);
                }
            }
        } catch (IllegalArgumentException _) {
            // the JVM was killed while it wrote this line: the window is incomplete
        }
        return windows;
    }
}
