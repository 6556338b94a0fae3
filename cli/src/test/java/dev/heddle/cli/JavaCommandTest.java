package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
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
    void theLibraryFollowsTheUsersClassPath() throws IOException {
        var java = new JavaCommand(List.of(), "a.jar", "org.example.Main", List.of("1", "2"));

        assertThat(java.toCommandLine(HEDDLE_JAR))
                .contains("-javaagent:heddle.jar")
                .endsWith("-cp", "a.jar" + File.pathSeparator + "heddle.jar", "org.example.Main", "1", "2");
    }

    @Test
    void aJarKeepsWhatItsManifestAsksFor(@TempDir Path folder) throws IOException {
        var manifest = new Manifest();
        Attributes entries = manifest.getMainAttributes();
        entries.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        entries.put(Attributes.Name.MAIN_CLASS, "org.example.Main");
        entries.putValue("Add-Opens", "java.base/java.io java.base/java.net");
        Path jar = folder.resolve("app.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();

        assertThat(JavaCommand.parse(List.of(jar.toString(), "arg")).toCommandLine(HEDDLE_JAR))
                .contains("--add-opens=java.base/java.io=ALL-UNNAMED", "--add-opens=java.base/java.net=ALL-UNNAMED")
                .endsWith("-cp", jar + File.pathSeparator + "heddle.jar", "org.example.Main", "arg");
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
