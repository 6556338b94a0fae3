package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.jdk.Access;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JavaCommandTest {

    private static final Path HEDDLE_JAR = Path.of("heddle.jar");

    @Test
    void optionsBeforeTheProgramAreTheJvms() {
        var java = JavaCommand.parse(List.of(
                "-Xmx1g",
                "--add-opens",
                "java.base/java.io=ALL-UNNAMED",
                "-cp",
                "lib",
                "org.example.Main",
                "-cp",
                "x"));

        assertThat(java)
                .isEqualTo(new JavaCommand(
                        List.of("-Xmx1g", "--add-opens", "java.base/java.io=ALL-UNNAMED"),
                        "lib",
                        null,
                        false,
                        "org.example.Main",
                        List.of("-cp", "x")));
    }

    @Test
    void theLibraryFollowsTheUsersClassPath() {
        var java = new JavaCommand(List.of("-Xmx1g"), "a.jar", null, false, "org.example.Main", List.of("1", "2"));

        assertThat(java.toCommandLine(HEDDLE_JAR))
                .containsSubsequence("-javaagent:heddle.jar", "-Xmx1g")
                .endsWith("-cp", "a.jar" + File.pathSeparator + "heddle.jar", "org.example.Main", "1", "2");
    }

    @Test
    void aJarIsStartedAsOne(@TempDir Path folder) throws IOException {
        Path jar = Files.createFile(folder.resolve("app.jar"));

        assertThat(JavaCommand.parse(List.of(jar.toString(), "arg")).toCommandLine(HEDDLE_JAR))
                .contains("-javaagent:heddle.jar")
                .endsWith("-jar", jar.toString(), "arg");
    }

    @Test
    void aModuleIsStartedAsOneWithTheLibraryOnItsModulePath() {
        var java = JavaCommand.parse(List.of("-p", "mods", "-Xmx1g", "-m", "app/app.Main", "-m", "x"));

        assertThat(java)
                .isEqualTo(new JavaCommand(List.of("-Xmx1g"), null, "mods", true, "app/app.Main", List.of("-m", "x")));
        assertThat(java.toCommandLine(HEDDLE_JAR))
                .contains("-javaagent:heddle.jar")
                .doesNotContain("-cp")
                .endsWith("-p", "mods" + File.pathSeparator + "heddle.jar", "-m", "app/app.Main", "-m", "x");
        assertThat(JavaCommand.parse(List.of("--module-path=mods", "-Xmx1g", "--module=app/app.Main", "-m", "x")))
                .isEqualTo(java);
    }

    @Test
    void aModuleWithoutAModulePathGetsTheLibraryAsOne() {
        assertThat(JavaCommand.parse(List.of("--module", "jdk.httpserver")).toCommandLine(HEDDLE_JAR))
                .endsWith("-p", "heddle.jar", "-m", "jdk.httpserver");
    }

    @Test
    void withoutTheJarThereIsNoAgentButAccess(@TempDir Path classes) {
        var java = new JavaCommand(List.of(), null, null, false, "org.example.Main", List.of());

        assertThat(java.toCommandLine(classes))
                .contains(Access.flags().split(" "))
                .noneMatch(it -> it.startsWith("-javaagent"));
    }
}
