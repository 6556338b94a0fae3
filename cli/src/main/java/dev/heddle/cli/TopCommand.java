package dev.heddle.cli;

import dev.heddle.client.JvmConnection;
import dev.heddle.client.TopView;
import dev.heddle.client.WaitTimes;
import dev.heddle.stats.SchedulerSnapshot;
import java.io.IOException;
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
        description =
                "Shows a scheduler at work: processors, queues, threads, rates, and who waits longest. q ends it.",
        customSynopsis = "heddle top PID [-d SECONDS] [-n TIMES | --once] [--scheduler NAME]")
final class TopCommand implements Callable<Integer> {

    /// Maximum number of goroutines sampled each time. Sampling a million would cost the program too much.
    private static final int GOROUTINES = 500;

    private static final int FRAMES = 64;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private WatchOptions options = new WatchOptions();

    @Option(names = "-d", paramLabel = "SECONDS", description = "The time between two pictures (by default 2).")
    private double seconds = 2;

    @Option(names = "-n", paramLabel = "TIMES", description = "Ends after so many pictures.")
    private int times = Integer.MAX_VALUE;

    @Option(names = "--once", description = "One picture; the same as -n 1.")
    private boolean once;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(seconds > 0 && seconds <= 3600) || times < 1) {
            throw new ParameterException(
                    spec.commandLine(), "-d is a number of seconds from above 0 to 3600, -n a number from 1");
        }
        int left = once ? 1 : times;
        try (JvmConnection watched = options.attach();
                Terminal terminal =
                        Terminal.open(spec.commandLine().getOut(), /* plain= */ left != Integer.MAX_VALUE)) {
            show(watched, terminal, left);
        }
        return 0;
    }

    private void show(JvmConnection watched, Terminal terminal, int pictures) throws IOException, InterruptedException {
        String name = options.scheduler(watched);
        WaitTimes waits = new WaitTimes();
        SchedulerSnapshot before = watched.snapshot(name);
        for (int left = pictures; left > 0 && !terminal.waitForQuit((long) (seconds * 1000)); left--) {
            SchedulerSnapshot now = watched.snapshot(name);
            List<WaitTimes.Wait> longest = waits.look(watched.goroutines(name, GOROUTINES, FRAMES), System.nanoTime());
            terminal.show(new TopView(before, now).lines(options.pid(), longest, terminal.height(), terminal.width()));
            before = now;
        }
    }
}
