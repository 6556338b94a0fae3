package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.Scheduler;
import dev.heddle.internal.jdk.Access;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import dev.heddle.testing.ObserverClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Every command reaches every JVM that runs Heddle, whatever its options, its file system and its launcher.
@EnabledOnOs(value = OS.LINUX, disabledReason = "/proc and namespaces")
final class ObserveAnywhereTest {

    private static LiveJvm start(ChildJvm child) throws IOException, InterruptedException {
        LiveJvm jvm = child.start();
        assertThat(jvm.readLine()).isEqualTo("ready");
        return jvm;
    }

    private static HeddleResult heddle(String command, LiveJvm target, String... options) {
        String[] line = new String[options.length + 2];
        line[0] = command;
        line[1] = Long.toString(target.pid());
        System.arraycopy(options, 0, line, 2, options.length);
        return HeddleResult.of(line);
    }

    private static void everyCommandWorks(LiveJvm target) {
        assertThat(heddle("dump", target)).satisfies(it -> assertThat(it.out()).contains("[chan receive]"));
        assertThat(heddle("top", target, "--once", "-d", "0.1"))
                .satisfies(it -> assertThat(it.out()).contains("chan receive"));
        assertThat(heddle("debug", target)).satisfies(it -> assertThat(it.out()).contains("schedtrace=0"));
        assertThat(heddle("doctor", target, "--seconds", "2"))
                .satisfies(it -> assertThat(it.out()).contains("scheduler heddle, watched for"));
        assertThat(heddle("leaks", target)).satisfies(it -> assertThat(it.out()).contains("3 of 4 goroutines"));
    }

    /// A filter for all of Java serialization, as Helidon has one; a host name that RMI would connect to in
    /// vain.
    @Test
    void optionsThatStopOtherObserversDoNotMatter() throws Exception {
        try (LiveJvm target = start(ChildJvm.of(Waiters.class)
                .option(
                        "-Djdk.serialFilter=!*",
                        "-Djava.rmi.server.hostname=192.0.2.1",
                        "-XX:+DisableAttachMechanism"))) {
            everyCommandWorks(target);
            assertThat(target.err()).isEmpty();
        }
    }

    @Test
    void heddleInAClassLoaderOfItsOwn() throws Exception {
        String classes = ChildJvm.home(Waiters.class).toUri().toString();
        String heddle = ChildJvm.home(Scheduler.class).toUri().toString();
        try (LiveJvm target = start(ChildJvm.withoutHeddle(OwnLoader.class, classes, heddle)
                .option(Access.flags().split(" "))
                .option("--enable-native-access=ALL-UNNAMED"))) {
            assertThat(heddle("dump", target).out()).contains("[chan receive]");
        }
    }

    @Test
    void aJvmBehindALauncher() throws Exception {
        try (LiveJvm shell = start(ChildJvm.of(Waiters.class).under("sh", "-c", "\"$0\" \"$@\"; exit 5"))) {
            assertThat(heddle("dump", shell).out()).contains("[chan receive]");
            shell.closeInput();
            assertThat(shell.waitFor()).isEqualTo(5);
        }
    }

    /// With mounts and process numbers of its own, as in a container whose numbers the outside knows, too.
    /// `/tmp` is shared, because the class path may be there.
    @Test
    void aJvmInAnotherContainer() throws Exception {
        requireNamespaces();
        try (LiveJvm target = start(ChildJvm.of(Waiters.class)
                .option("-Dheddle.observe=/dev/shm", "-Djava.io.tmpdir=/dev/shm")
                .option("-XX:-UsePerfData") // another JVM with number 1 may have its file in the shared /tmp
                .under(
                        "unshare",
                        "--mount",
                        "--pid",
                        "--fork",
                        "--mount-proc",
                        "sh",
                        "-c",
                        "mount -t tmpfs none /dev/shm && exec \"$0\" \"$@\""))) {
            everyCommandWorks(target);
            target.closeInput();
            assertThat(target.waitFor()).isZero();
        }
    }

    @Test
    void aReadOnlyRoot() throws Exception {
        requireNamespaces();
        String mounts = "mount -t tmpfs none /dev/shm && mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp"
                + " && mount -o remount,bind,ro / && exec \"$0\" \"$@\"";
        try (LiveJvm target = start(ChildJvm.of(Waiters.class)
                .option("-Djava.io.tmpdir=/dev/shm")
                .under("unshare", "--mount", "sh", "-c", mounts))) {
            everyCommandWorks(target);
        }
    }

    private static void requireNamespaces() throws IOException, InterruptedException {
        Process tried = new ProcessBuilder("sh", "-c", "unshare --mount --pid --fork --mount-proc true")
                .redirectErrorStream(true)
                .start();
        tried.getOutputStream().close();
        assumeTrue(tried.waitFor() == 0, "only root can make namespaces, and not in every container");
    }

    @Test
    void aStoppedProcessIsGivenUp() throws Exception {
        try (LiveJvm target = Targets.withHeddle()) {
            target.signal("STOP");

            HeddleResult dump = heddle("dump", target);

            assertThat(dump.err())
                    .isEqualTo("heddle: process " + target.pid()
                            + " does not answer: it is stopped or very busy, or it finds no directory for its socket,"
                            + " which the setting observe=DIRECTORY can name." + System.lineSeparator());
            assertThat(dump.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void aJvmThatIsNotToBeObserved() throws Exception {
        for (ChildJvm child : new ChildJvm[] {
            ChildJvm.of(Waiters.class).option("-Dheddle.observe=off"),
            ChildJvm.of(Waiters.class).environment("HEDDLE_OBSERVE", "off")
        }) {
            try (LiveJvm target = start(child)) {
                assertThat(heddle("dump", target))
                        .isEqualTo(new HeddleResult(
                                1,
                                "",
                                "heddle: process " + target.pid()
                                        + " does not let itself be observed: it was started with"
                                        + " the setting observe=off." + System.lineSeparator()));
            }
        }
    }

    @Test
    void theNextCommandDeletesWhatAKilledJvmLeft() throws Exception {
        Path socket;
        try (LiveJvm target = Targets.withHeddle()) {
            socket = ObserverClient.socketOf(target);
            assertThat(heddle("dump", target).exitCode()).isZero();
            target.kill();
        }
        assertThat(socket).exists();
        try (LiveJvm other = Targets.withHeddle()) {
            assertThat(heddle("dump", other).exitCode()).isZero();
            assertThat(socket).doesNotExist();
            assertThat(ObserverClient.socketOf(other)).exists();
        }
    }

    @Test
    void psListsTheJvmsThatRunHeddle() throws Exception {
        try (LiveJvm one = Targets.withHeddle();
                LiveJvm other = Targets.withHeddle();
                LiveJvm without = Targets.withoutHeddle()) {
            HeddleResult table = HeddleResult.of("ps");

            assertThat(table.out().lines().toList())
                    .first()
                    .asString()
                    .matches("\\s+PID PROCS GOROUTINES +UP  PROGRAM +SCHEDULERS");
            for (LiveJvm jvm : new LiveJvm[] {one, other}) {
                assertThat(table.out())
                        .containsPattern("(?m)^ *" + jvm.pid()
                                + " +\\d+ +4 +\\d+s  dev\\.heddle\\.cli\\.Waiters +heddle,other$");
            }
            assertThat(table.out()).doesNotContainPattern("(?m)^ *" + without.pid() + " ");
            assertThat(table.exitCode()).isZero();

            assertThat(HeddleResult.of("ps", "--json").out())
                    .startsWith("[{\"pid\":")
                    .containsPattern("\"pid\":" + one.pid()
                            + ",\"program\":\"dev.heddle.cli.Waiters\",\"procs\":\\d+,\"goroutines\":4,");
        }
    }

    @Test
    void programsAreCalledAsPeopleDo() {
        assertThat(PsCommand.program("com.acme.Main a b")).isEqualTo("com.acme.Main");
        assertThat(PsCommand.program("/opt/app/shop.jar --port 80")).isEqualTo("shop.jar");
        assertThat(PsCommand.program("app/app.Main x")).isEqualTo("app/app.Main");
        assertThat(PsCommand.program("jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher dir/Hello.java 1"))
                .isEqualTo("Hello.java");
        assertThat(PsCommand.program("")).isEmpty();
    }

    @Test
    void directoriesOfOtherProgramsStay() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Path other = Files.createTempDirectory(Path.of("/tmp"), "heddle-");
        try {
            assertThat(HeddleResult.of("dump", Long.toString(ended.pid())).exitCode())
                    .isEqualTo(1);
            assertThat(other).exists();
        } finally {
            Files.deleteIfExists(other);
        }
    }

    /// A socket without a listener, of a process that exists: its JVM may be about to listen.
    @Test
    void theSocketOfALivingProcessStays() throws Exception {
        try (LiveJvm target = Targets.withHeddle()) {
            assertThat(heddle("dump", target).exitCode()).isZero();
            Path socket = ObserverClient.socketOf(target);
            Files.delete(socket);
            Files.createFile(socket); // nothing listens there
            assertThat(HeddleResult.of("dump", "1").exitCode()).isEqualTo(1);
            assertThat(socket).exists();
        }
    }
}
