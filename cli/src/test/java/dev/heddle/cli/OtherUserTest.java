package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands against a JVM of somebody else, of whom nothing may be seen: one sentence each. They run as nobody, beside
/// a JVM of root, so this takes root and `setpriv`; elsewhere it is skipped.
final class OtherUserTest {

    private static final String NOBODY = "65534";

    @TempDir
    private Path folder;

    private String classPath = "";

    /// Where nobody can read it: the classes here may be in a home directory.
    @BeforeEach
    void copyClassPath() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can run something as somebody else");
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
    void aJvmOfSomebodyElse(String command) throws IOException, InterruptedException {
        try (Target target = Target.withHeddle()) {
            Process asked = new ProcessBuilder(
                            "/usr/bin/setpriv",
                            "--reuid=" + NOBODY,
                            "--regid=" + NOBODY,
                            "--clear-groups",
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            classPath,
                            Heddle.class.getName(),
                            command,
                            Long.toString(target.pid()))
                    .directory(folder.toFile())
                    .start();
            asked.getOutputStream().close();
            String out = new String(asked.getInputStream().readAllBytes());
            String err = new String(asked.getErrorStream().readAllBytes());

            assertThat(asked.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(err)
                    .matches("heddle: process " + target.pid() + " belongs to user root: run '?heddle( info')? as that"
                            + " user\\.\\R");
            assertThat(out).isEmpty();
            assertThat(asked.exitValue()).isEqualTo(1);
        }
    }
}
