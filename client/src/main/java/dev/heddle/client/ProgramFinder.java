package dev.heddle.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Finds the JVM that runs Heddle behind a process number: the process itself, or a process that it started, as
/// `heddle run` or a shell script does.
final class ProgramFinder {

    /// How long a process may run before it must have Heddle. A launcher starts one JVM after the other.
    private static final Duration START_OF_JVM = Duration.ofSeconds(3);

    private static final Duration START_OF_LAUNCHER = Duration.ofSeconds(9);

    /// The command line of `heddle run`: of its script, of its jar, or of its class in tests.
    private static final Pattern LAUNCHER = Pattern.compile("(/heddle|heddle-cli\\.jar|cli\\.Heddle) run ");

    /// The property, or the option of the agent.
    private static final Pattern OFF = Pattern.compile("-Dheddle\\.observe=off|-javaagent:\\S*[=,]observe=off");

    private static final long PAUSE_MILLIS = 50;

    private ProgramFinder() {}

    /// @throws IOException with one sentence, if there is none
    static TargetProcess find(long pid) throws IOException {
        TargetProcess process = TargetProcess.of(pid);
        if (!process.isOpenToUs()) {
            throw new IOException(
                    "process " + pid + " belongs to user " + process.userName() + ": run heddle as that user.");
        }
        while (true) {
            if (hasHeddle(process)) {
                return process;
            }
            List<TargetProcess> below = process.descendants().stream()
                    .filter(ProgramFinder::hasHeddle)
                    .toList();
            if (below.size() == 1) {
                return below.getFirst();
            }
            if (below.size() > 1) {
                throw new IOException("process " + pid + " has started several JVMs that run Heddle: name one of "
                        + below.stream().map(it -> Long.toString(it.pid())).collect(Collectors.joining(", ")) + ".");
            }
            if (!isStarting(process)) {
                throw new IOException(whyNot(process));
            }
            Pause.millis(PAUSE_MILLIS);
        }
    }

    /// Whether the process has opened its socket, or does so when it is asked.
    static boolean hasHeddle(TargetProcess process) {
        return SocketFinder.find(process) != null || process.handles(Kill.number()) && process.isJvm();
    }

    private static boolean isStarting(TargetProcess process) {
        if (!process.isAlive() || isSwitchedOff(process)) {
            return false;
        }
        boolean isLauncher = LAUNCHER.matcher(process.commandLine()).find();
        Duration limit = isLauncher ? START_OF_LAUNCHER : process.isJvm() ? START_OF_JVM : Duration.ZERO;
        return process.age().compareTo(limit) < 0;
    }

    private static String whyNot(TargetProcess process) {
        String who = "process " + process.pid();
        if (!process.isAlive()) {
            return who + " has ended.";
        }
        if (!process.isJvm()) {
            return who + " is not a JVM, and has started none that runs Heddle.";
        }
        if (isSwitchedOff(process)) {
            return who + " does not let itself be observed: it was started with the setting observe=off.";
        }
        return who + " runs no scheduler of Heddle: start it with -javaagent:heddle.jar or by 'heddle run', or let it"
                + " make a scheduler first.";
    }

    private static boolean isSwitchedOff(TargetProcess process) {
        return OFF.matcher(process.commandLine()).find()
                || process.environment().lines().anyMatch("HEDDLE_OBSERVE=off"::equals);
    }
}
