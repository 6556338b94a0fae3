package dev.heddle.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle info PID`: the current state of the scheduler of a running JVM.
///
/// Uses the JDK's own `jcmd`: nothing is loaded into the program, and no port is opened.
@Command(name = "info", description = "Shows the scheduler of a running JVM.", customSynopsis = "heddle info PID")
final class InfoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "PID", description = "The process, as 'jps' or 'ps' shows it.")
    private long pid;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ProcessHandle process =
                ProcessHandle.of(pid).orElseThrow(() -> new IOException("there is no process " + pid + "."));
        PrintWriter out = spec.commandLine().getOut();
        SchedulerLine line = SchedulerLine.parse(schedulerOf(process));
        if (!line.isHeddle()) {
            throw new IOException(
                    "process " + pid + " runs its virtual threads on the JDK's own scheduler: to have them on"
                            + " Heddle, start it with -javaagent:heddle.jar or by 'heddle run'.");
        }
        out.println("process " + pid + ": every virtual thread runs on Heddle");
        line.explain().forEach(out::println);
        out.flush();
        return 0;
    }

    /// What `jcmd PID Thread.vthread_scheduler` prints, without its first line.
    private static String schedulerOf(ProcessHandle process) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process asked = new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "Thread.vthread_scheduler")
                .redirectErrorStream(true)
                .start();
        asked.getOutputStream().close();
        String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (asked.waitFor() != 0) {
            throw new IOException(whyNot(process, answer));
        }
        return answer.lines().skip(1).findFirst().orElse("");
    }

    private static String whyNot(ProcessHandle process, String answer) {
        String who = "process " + process.pid();
        Optional<String> owner = process.info().user();
        if (owner.isPresent() && !owner.get().equals(System.getProperty("user.name"))) {
            return who + " belongs to user " + owner.get() + ": run 'heddle info' as that user.";
        }
        if (answer.contains("Unknown diagnostic command")) {
            return who + " is a JVM older than Heddle's JDK 25: it cannot run on Heddle.";
        }
        if (answer.contains("not ready to participate") || answer.contains("Unable to open socket file")) {
            return who + " is not a JVM, or one that does not answer (-XX:+DisableAttachMechanism, or just starting).";
        }
        return answer.lines().filter(it -> it.contains("Exception")).findFirst().orElse(who + " does not answer.");
    }
}
