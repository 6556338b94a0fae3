package dev.heddle.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// An output for pictures that are redrawn. A terminal reports its size and keys through `stty`; any other output gets
/// the pictures one after the other.
final class Terminal implements AutoCloseable {

    /// What [#waitForKey] returns if the time is up, and if the user or the end of the output ends the display.
    static final int TIME_IS_UP = -1;

    static final int QUIT = -2;

    private static final String ALTERNATE_SCREEN = "\u001b[?1049h\u001b[?25l";
    private static final String NORMAL_SCREEN = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_TO_END_OF_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private static final Size PLAIN = new Size(40, 200);
    private static final Size SMALL_SCREEN = new Size(24, 80);
    private static final int KEY_POLL_MILLIS = 50;

    private final PrintWriter out;
    private final boolean isScreen;
    private final String settings;
    private final Thread restorer = new Thread(this::restore, "heddle-terminal");
    private long deadline = System.nanoTime();
    private boolean restored;

    /// The number of lines and columns.
    record Size(int height, int width) {}

    private Terminal(PrintWriter out, String settings) {
        this.out = out;
        this.settings = settings;
        this.isScreen = !settings.isEmpty();
    }

    /// @param plain whether to print the pictures one after the other even on a terminal
    static Terminal open(PrintWriter out, boolean plain) throws IOException, InterruptedException {
        boolean isTerminal = System.console() != null && System.console().isTerminal();
        Terminal terminal =
                new Terminal(out, plain || !isTerminal ? "" : stty("-g").strip());
        if (terminal.isScreen) {
            Runtime.getRuntime().addShutdownHook(terminal.restorer); // Ctrl-C
            stty("-icanon -echo min 0 time 0");
            out.print(ALTERNATE_SCREEN);
            out.flush();
        }
        return terminal;
    }

    /// Runs `stty` and returns its output; empty if it fails.
    private static String stty(String arguments) throws IOException, InterruptedException {
        Process stty = new ProcessBuilder("sh", "-c", "stty " + arguments + " </dev/tty")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        stty.getOutputStream().close();
        String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return stty.waitFor() == 0 ? answer : "";
    }

    /// Whether pictures are drawn over each other, and keys are read.
    boolean isScreen() {
        return isScreen;
    }

    /// Asked for each picture, since the user may change it.
    Size size() throws IOException, InterruptedException {
        return isScreen ? sizeIn(stty("size")) : PLAIN;
    }

    /// The size in the answer of `stty size`. Some terminals do not know it, and say 0.
    static Size sizeIn(String answer) {
        String[] numbers = answer.strip().split(" ", -1);
        if (numbers.length != 2 || numbers[0].equals("0") || numbers[1].equals("0")) {
            return SMALL_SCREEN;
        }
        return new Size(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    /// On a screen, at most as many lines as it has.
    void show(List<String> lines) {
        out.print(
                isScreen
                        ? HOME + String.join(CLEAR_TO_END_OF_LINE + "\r\n", lines) + CLEAR_TO_END_OF_LINE + CLEAR_BELOW
                        : String.join(System.lineSeparator(), lines) + System.lineSeparator());
        if (!isScreen && lines.size() > 1) {
            out.println();
        }
        out.flush();
    }

    /// Sets when the time of [#waitForKey] is up.
    void setTimer(double seconds) {
        deadline = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    /// Waits for a key and returns it in lower case, or [#TIME_IS_UP], or [#QUIT] if the user wants to end, or if
    /// the output cannot be written any more.
    int waitForKey() throws IOException, InterruptedException {
        while (!out.checkError()) {
            if (isScreen && System.in.available() > 0) {
                int key = System.in.read();
                return key == 'q' || key == 'Q' ? QUIT : Character.toLowerCase(key);
            }
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return TIME_IS_UP;
            }
            TimeUnit.MILLISECONDS.sleep(Math.min(left, KEY_POLL_MILLIS));
        }
        return QUIT;
    }

    @Override
    public void close() {
        if (isScreen) {
            restore();
            Runtime.getRuntime().removeShutdownHook(restorer);
        }
    }

    private synchronized void restore() {
        if (restored) {
            return;
        }
        restored = true;
        out.print(NORMAL_SCREEN);
        out.flush();
        try {
            stty(settings);
        } catch (IOException | InterruptedException _) {
            // the terminal cannot be restored
        }
    }
}
