package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The commands that look into another JVM: what they show, and the one sentence for each reason why they cannot.
final class WatchCommandsTest {

    private static final List<String> COMMANDS = List.of("dump", "leaks", "top", "web", "debug");

    private record Result(int exitCode, String out, String err) {}

    private static Result heddle(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        return heddle(out, err, arguments);
    }

    private static Result heddle(StringWriter out, StringWriter err, String... arguments) {
        CommandLine heddle = Heddle.commandLine();
        heddle.setOut(new PrintWriter(out, true));
        heddle.setErr(new PrintWriter(err, true));
        int exitCode = heddle.execute(arguments);
        return new Result(exitCode, out.toString(), err.toString());
    }

    private static void everyCommandSays(long pid, String sentence) {
        for (String command : COMMANDS) {
            Result result = heddle(command, Long.toString(pid));
            assertThat(result.err()).as(command).isEqualTo("heddle: " + sentence + System.lineSeparator());
            assertThat(result.exitCode()).as(command).isEqualTo(1);
            assertThat(result.out()).as(command).isEmpty();
        }
    }

    @Test
    void aRunningProgramIsShown() throws IOException, InterruptedException {
        try (LiveJvm target = Targets.withHeddle()) {
            String pid = Long.toString(target.pid());

            Result dump = heddle("dump", pid);
            assertThat(dump.err()).isEmpty();
            assertThat(dump.out())
                    .contains(
                            "scheduler heddle: 3 goroutines, 0 running, 0 runnable, 0 in syscalls, 0 pinned, 3 waiting")
                    .contains("scheduler other: 1 goroutines")
                    .containsPattern("goroutine \\d+ \\[chan receive\\]:\ndev.heddle.Chan")
                    .containsPattern("goroutine \\d+ \\[sleep\\]:\njava.lang.Thread.sleep");

            assertThat(heddle("dump", pid, "--group", "--scheduler", "heddle").out())
                    .contains("goroutine profile: total 3 of scheduler heddle\n3 @ [chan receive] goroutine ")
                    .doesNotContain("sleep");

            assertThat(heddle("dump", pid, "--json").out())
                    .startsWith("{\"pid\":" + pid
                            + ",\"schedulers\":[{\"scheduler\":{\"name\":\"heddle\",\"jvmWide\":false")
                    .contains("\"waitReason\":\"chan receive\"", "\"waitReason\":\"sleep\"");

            assertThat(heddle("top", pid, "--once", "-d", "0.1").out())
                    .containsPattern("^heddle top: process " + pid + ", up [^,]+, scheduler heddle\n"
                            + "CPU         \\d+ % of \\d+ %, heap \\d+ MB of ")
                    .contains("goroutines  3 live: 0 running, 0 runnable, 0 in syscalls, 0 pinned, 3 waiting\n")
                    .contains("chan receive");
            Result json = heddle("top", pid, "-n", "2", "-d", "0.1", "--json");
            assertThat(json.out().lines())
                    .hasSize(2)
                    .allSatisfy(it -> assertThat(it)
                            .startsWith("{\"pid\":" + pid + ",\"cpus\":")
                            .contains(
                                    "\"jvm\":{", "\"heapUsed\":", "\"blockedThreads\":0", "\"reason\":\"chan receive\"")
                            .endsWith("}"));

            assertThat(heddle("debug", pid, "createdby=1,steals=1").out())
                    .isEqualTo("process " + pid
                            + ": schedtrace=0,scheddetail=0,steals=1,createdby=1,sigquit=0,metrics=0"
                            + System.lineSeparator());
            assertThat(heddle("debug", pid, "createdby=0").out()).contains("steals=1,createdby=0");

            assertThat(heddle("debug", pid, "metrics"))
                    .isEqualTo(new Result(
                            1,
                            "",
                            "heddle: metrics needs a number from 0 to 65535: metrics=N." + System.lineSeparator()));
            assertThat(heddle("debug", pid, "steels=1").err())
                    .startsWith("heddle: there is no setting 'steels' (did you mean 'steals'?); there are ");
            assertThat(heddle("debug", pid, "tracing=1"))
                    .isEqualTo(new Result(
                            1,
                            "",
                            "heddle: there is no setting 'tracing'; there are schedtrace, scheddetail, steals, createdby,"
                                    + " sigquit, metrics." + System.lineSeparator()));
            assertThat(heddle("top", pid, "--once", "--scheduler", "none"))
                    .isEqualTo(new Result(
                            1,
                            "",
                            "heddle: process " + pid + " has no scheduler 'none'; it has heddle, other."
                                    + System.lineSeparator()));
        }
    }

    @Test
    void aProcessThatIsNotThere() throws IOException, InterruptedException {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();

        everyCommandSays(ended.pid(), "there is no process " + ended.pid() + ".");
    }

    @Test
    void aProcessThatIsNoJvm() throws IOException {
        Process sleeping = new ProcessBuilder("sleep", "60").start();
        try {
            everyCommandSays(
                    sleeping.pid(),
                    "process " + sleeping.pid() + " is not a JVM, and has started none that runs Heddle.");
        } finally {
            sleeping.destroy();
        }
    }

    @Test
    void aJvmWithoutHeddle() throws IOException, InterruptedException {
        try (LiveJvm target = Targets.withoutHeddle()) {
            everyCommandSays(
                    target.pid(),
                    "process " + target.pid()
                            + " runs no scheduler of Heddle: start it with -javaagent:heddle.jar or by 'heddle run', or"
                            + " let it make a scheduler first.");
        }
    }

    @Test
    void leaksNamesGoroutinesThatNothingReaches() throws IOException, InterruptedException {
        try (LiveJvm target = Targets.withHeddle()) {
            Result leaks = heddle("leaks", Long.toString(target.pid()));

            assertThat(leaks.err()).isEmpty();
            assertThat(leaks.out())
                    .startsWith(
                            "process " + target.pid()
                                    + ": 3 of 4 goroutines wait for something that nothing else reaches: no thread can ever wake them.")
                    .contains("chan receive");
            assertThat(leaks.exitCode()).isZero();
        }
    }

    @Test
    void aProcessThatEndsMeanwhile() throws IOException, InterruptedException {
        try (LiveJvm target = Targets.withHeddle()) {
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            CountDownLatch done = new CountDownLatch(1);
            int[] exitCode = new int[1];
            Thread top = Thread.ofPlatform().start(() -> {
                exitCode[0] = heddle(out, err, "top", Long.toString(target.pid()), "-d", "0.05", "-n", "100000")
                        .exitCode();
                done.countDown();
            });
            Awaitility.await().until(() -> out.toString().contains("heddle top:"));
            target.kill();
            done.await();
            top.join();

            assertThat(err.toString())
                    .isEqualTo("heddle: process " + target.pid() + " has ended." + System.lineSeparator());
            assertThat(exitCode[0]).isEqualTo(1);
        }
    }

    @Test
    void wrongNumbersAreWrongUsage() {
        for (String[] line : new String[][] {
            {"dump", "x"}, {"top", "1", "-d", "0"}, {"top", "1", "-n", "0"}, {"top"}, {"debug", "1", "2", "3"}
        }) {
            Result result = heddle(line);
            assertThat(result.exitCode()).as(String.join(" ", line)).isEqualTo(2);
            assertThat(result.err()).startsWith("heddle: ").hasLineCount(1);
        }
    }
}
