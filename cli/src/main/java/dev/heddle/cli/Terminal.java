package dev.heddle.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// An output for pictures that are redrawn. A terminal reports its size and keys through `stty`; any other output gets
/// the pictures one after the other.
final class Terminal implements AutoCloseable {

    private static final String ALTERNATE_SCREEN = "\u001b[?1049h\u001b[?25l";
    private static final String NORMAL_SCREEN = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_TO_END_OF_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private static final int PLAIN_HEIGHT = 40;
    private static final int PLAIN_WIDTH = 200;
    private static final int KEY_POLL_MILLIS = 50;

    private final PrintWriter out;
    private final boolean isScreen;
    private final String settings;
    private final Thread restorer = new Thread(this::restore, "heddle-terminal");
    private boolean restored;

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

    int height() throws IOException, InterruptedException {
        return isScreen ? size(0, PLAIN_HEIGHT) - 1 : PLAIN_HEIGHT;
    }

    int width() throws IOException, InterruptedException {
        return isScreen ? size(1, PLAIN_WIDTH) : PLAIN_WIDTH;
    }

    private static int size(int index, int otherwise) throws IOException, InterruptedException {
        String[] size = stty("size").strip().split(" ", -1);
        return size.length == 2 && !size[index].equals("0") ? Integer.parseInt(size[index]) : otherwise;
    }

    void show(List<String> lines) {
        StringBuilder picture = new StringBuilder();
        if (isScreen) {
            picture.append(HOME);
            lines.forEach(it -> picture.append(it).append(CLEAR_TO_END_OF_LINE).append('\n'));
            picture.append(CLEAR_BELOW);
        } else {
            lines.forEach(it -> picture.append(it).append('\n'));
            picture.append('\n');
        }
        out.print(picture);
        out.flush();
    }

    /// Waits for this time. Returns true as soon as the user presses `q`, or at the end if the output cannot be
    /// written any more.
    boolean waitForQuit(long millis) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; left > 0; left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())) {
            while (isScreen && System.in.available() > 0) {
                int key = System.in.read();
                if (key == 'q' || key == 'Q') {
                    return true;
                }
            }
            TimeUnit.MILLISECONDS.sleep(isScreen ? Math.min(left, KEY_POLL_MILLIS) : left);
        }
        return out.checkError();
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
