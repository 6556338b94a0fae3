package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import dev.heddle.client.ThreadOrder;
import dev.heddle.client.ThreadTimes;
import dev.heddle.client.TopJson;
import dev.heddle.client.TopSample;
import dev.heddle.client.TopView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `heddle top PID`: the activity of a scheduler, updated every two seconds.
@Command(
        name = "top",
        description = {
            "Shows a scheduler at work, like top or htop.",
            "Its processors, queues, threads and rates, how long threads have waited, and which has been runnable the "
                    + "longest. A time after '>' is a lower bound: so long top, or another command, has seen the thread."
        },
        customSynopsis = "heddle top PID [-d SECONDS] [-n TIMES | --once] [--json] [--sort ORDER] [--scheduler NAME]",
        footer = {
            "%nKeys:",
            "  w    sorts by waiting time         r    sorts by runnable time",
            "  n    sorts by name                 i    sorts by id",
            "  q    ends it                       SPACE  draws now",
            "%nExamples:",
            "  heddle top 4711                    a picture every two seconds",
            "  heddle top 4711 --once             one picture, for a pipe or a file",
            "  heddle top 4711 --once --json | jq .cpus"
        })
final class TopCommand implements Callable<Integer> {

    /// Maximum number of goroutines sampled each time. Sampling a million would cost the program too much.
    private static final int GOROUTINES = 500;

    private static final int FRAMES = 64;

    private static final double LONGEST_SECONDS = 3600;

    /// A screen must not stay empty for long.
    private static final double FIRST_SECONDS = 0.5;

    private static final String KEYS = "w wait  r runnable  n name  i id  SPACE now  q quit";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private WatchOptions options = new WatchOptions();

    @Option(names = "-d", paramLabel = "SECONDS", description = "The time between two pictures; 2 unless set.")
    private double seconds = 2;

    @Option(names = "-n", paramLabel = "TIMES", description = "Ends after so many pictures.")
    private int times = Integer.MAX_VALUE;

    @Option(names = "--once", description = "Prints one picture; the same as -n 1.")
    private boolean once;

    @Option(names = "--json", description = "Prints each picture as a JSON object on one line.")
    private boolean json;

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            description = "Sorts the threads by wait, runnable, name or id; by wait unless set.")
    private ThreadOrder order = ThreadOrder.wait;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
            throw new ParameterException(
                    spec.commandLine(), "-d must be above 0 and at most 3600 seconds, not " + seconds);
        }
        if (times < 1) {
            throw new ParameterException(spec.commandLine(), "-n must be at least 1, not " + times);
        }
        int pictures = once ? 1 : times;
        try (JvmConnection watched = options.attach();
                Terminal terminal = Terminal.open(
                        spec.commandLine().getOut(), /* plain= */ json || pictures != Integer.MAX_VALUE)) {
            show(watched, terminal, pictures);
        }
        return 0;
    }

    private void show(JvmConnection watched, Terminal terminal, int pictures) throws IOException, InterruptedException {
        String name = options.scheduler(watched);
        ThreadTimes threads = new ThreadTimes();
        TopSample before = sample(watched, name, threads);
        TopSample now = before;
        double wait = terminal.isScreen() ? Math.min(seconds, FIRST_SECONDS) : seconds;
        terminal.setTimer(wait);
        for (int left = pictures; left > 0; ) {
            int key = terminal.waitForKey();
            if (key == Terminal.QUIT) {
                return;
            }
            if (key == Terminal.TIME_IS_UP || key == ' ') {
                before = now;
                now = sample(watched, name, threads);
                terminal.setTimer(seconds);
                left--;
            } else if (!changesOrder(key) || now == before) {
                continue;
            }
            terminal.show(picture(watched.pid(), before, now, terminal));
        }
    }

    private static TopSample sample(JvmConnection watched, String name, ThreadTimes threads) throws IOException {
        return new TopSample(
                watched.snapshot(name),
                watched.figures(),
                threads.next(watched.goroutines(name, GOROUTINES, FRAMES), System.nanoTime()));
    }

    private boolean changesOrder(int key) {
        for (ThreadOrder each : ThreadOrder.values()) {
            if (key == each.key()) {
                order = each;
                return true;
            }
        }
        return false;
    }

    private List<String> picture(long pid, TopSample before, TopSample now, Terminal terminal)
            throws IOException, InterruptedException {
        if (json) {
            return List.of(new TopJson(before, now).line(pid, order));
        }
        Terminal.Size size = terminal.size();
        if (!terminal.isScreen()) {
            return new TopView(before, now).lines(pid, order, size.height(), size.width());
        }
        List<String> lines =
                new ArrayList<>(new TopView(before, now).lines(pid, order, size.height() - 1, size.width()));
        while (lines.size() < size.height() - 1) {
            lines.add("");
        }
        String keys = "sorted by " + order + ":  " + KEYS;
        lines.add(keys.substring(0, Math.min(keys.length(), size.width())));
        return lines;
    }
}
