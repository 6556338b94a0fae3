package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.internal.jdk.Access;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A command that is asked about a JVM of another user ends with one sentence. The commands run as the user with the
/// number 65534, and the JVM belongs to root. So the test needs root and `setpriv`, and is skipped without them.
final class OtherUserTest {

    private static final String OTHER_USER = "65534";

    @TempDir
    private Path folder;

    private String classPath = "";

    /// Copies the class path to a folder that the other user can read: the originals may be in a home
    /// directory.
    @BeforeEach
    void copyClassPath() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can run a command as another user");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv here");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path from = Path.of(entry);
            if (Files.exists(from)) {
                Path to = folder.resolve(copies.size() + "-" + from.getFileName());
                copy(from, to);
                copies.add(to.toString());
            }
        }
        classPath = String.join(File.pathSeparator, copies);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"info", "dump", "leaks", "top", "debug", "doctor"})
    void aJvmOfAnotherUser(String command) throws IOException, InterruptedException {
        try (LiveJvm target = Targets.withHeddle()) {
            ChildJvm.Result asked = ChildJvm.withClassPath(
                            classPath, Heddle.class, command, Long.toString(target.pid()))
                    .under("/usr/bin/setpriv", "--reuid=" + OTHER_USER, "--regid=" + OTHER_USER, "--clear-groups")
                    .directory(folder)
                    .run();

            assertThat(asked.err())
                    .matches("heddle: process " + target.pid() + " belongs to user root: run '?heddle( info')? as that"
                            + " user\\.\\R");
            assertThat(asked.out()).isEmpty();
            assertThat(asked.exitCode()).isEqualTo(1);
        }
    }

    /// The user need not have a name, and root may observe every user's JVM.
    @Test
    void aUserAndRootObserveAJvmOfThatUser() throws IOException, InterruptedException {
        String[] asUser = {"/usr/bin/setpriv", "--reuid=" + OTHER_USER, "--regid=" + OTHER_USER, "--clear-groups"};
        try (LiveJvm target = ChildJvm.withClassPath(classPath, Waiters.class)
                .option(Access.flags().split(" "))
                .option("--enable-native-access=ALL-UNNAMED")
                .under(asUser)
                .directory(folder)
                .start()) {
            assertThat(target.readLine()).isEqualTo("ready");
            ChildJvm.Result dump = ChildJvm.withClassPath(classPath, Heddle.class, "dump", Long.toString(target.pid()))
                    .option("--enable-native-access=ALL-UNNAMED")
                    .under(asUser)
                    .directory(folder)
                    .run();

            assertThat(dump.out()).as(dump.err()).contains("[chan receive]");
            assertThat(HeddleResult.of("leaks", Long.toString(target.pid())).out())
                    .contains("3 of 4 goroutines");
        }
    }
}
