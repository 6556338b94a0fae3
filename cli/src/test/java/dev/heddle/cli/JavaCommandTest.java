package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
                        "org.example.Main",
                        List.of("-cp", "x")));
    }

    @Test
    void theLibraryFollowsTheUsersClassPath() {
        var java = new JavaCommand(List.of("-Xmx1g"), "a.jar", "org.example.Main", List.of("1", "2"));

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
    void withoutTheJarThereIsNoAgentButAccess(@TempDir Path classes) {
        var java = new JavaCommand(List.of(), null, "org.example.Main", List.of());

        assertThat(java.toCommandLine(classes))
                .contains("--add-opens=java.base/java.lang=ALL-UNNAMED")
                .noneMatch(it -> it.startsWith("-javaagent"));
    }

    /// Three places name these packages: here, the parent's flags for tests, the manifest of the core jar.
    @Test
    void theBuildGrantsTheSameAccess() throws IOException {
        List<String> flags = new ArrayList<>();
        JavaCommand.EXPORTS.forEach(it -> flags.add("--add-exports=java.base/" + it + "=ALL-UNNAMED"));
        JavaCommand.OPENS.forEach(it -> flags.add("--add-opens=java.base/" + it + "=ALL-UNNAMED"));

        assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments())
                .filteredOn(it -> it.startsWith("--add-"))
                .containsExactlyElementsOf(flags);
        assertThat(Path.of("..", "core", "pom.xml"))
                .content()
                .contains(
                        "<Add-Exports>" + inManifest(JavaCommand.EXPORTS) + "</Add-Exports>",
                        "<Add-Opens>" + inManifest(JavaCommand.OPENS) + "</Add-Opens>");
    }

    private static String inManifest(List<String> packages) {
        return String.join(" ", packages.stream().map("java.base/"::concat).toList());
    }
}
