package dev.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The packages of the JDK that Heddle uses are listed in [Access] and, because the build needs them earlier, in the
/// parent's pom. The two lists are the same, and there is no third one.
class AccessListTest {

    private static final Path ROOT = Path.of("..");

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(heddle\\.(?:export|open)\\.\\w+)}");

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> inBase(List<String> packages) {
        return packages.stream().map("java.base/"::concat).toList();
    }

    /// The values of the parent's properties whose names begin so.
    private static List<String> properties(String prefix) {
        return Pattern.compile("<" + Pattern.quote(prefix) + "\\w+>(.*?)</")
                .matcher(read(ROOT.resolve("pom.xml")))
                .results()
                .map(it -> it.group(1))
                .toList();
    }

    @Test
    void thePomHasTheSamePackages() {
        assertThat(properties("heddle.export.")).isEqualTo(inBase(Access.exported()));
        assertThat(properties("heddle.open.")).isEqualTo(inBase(Access.opened()));
    }

    /// This JVM has the flags of the build's `argLine`.
    @Test
    void testsRunWithTheFlagsThatUsersAreTold() {
        assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments())
                .filteredOn(it -> it.startsWith("--add-"))
                .containsExactly(Access.flags().split(" "));
    }

    /// javac needs the exported packages, and the opened packages that the JDK does not export to everyone.
    @Test
    void javacHasThePackagesThatOneCanCompileAgainst() {
        List<String> published = Object.class.getModule().getDescriptor().exports().stream()
                .filter(it -> !it.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .toList();
        List<String> expected = new ArrayList<>(Access.exported());
        Access.opened().stream().filter(it -> !published.contains(it)).forEach(expected::add);

        String pom = read(ROOT.resolve("pom.xml"));
        List<String> arguments = Pattern.compile("<arg>--add-exports=(.*?)=ALL-UNNAMED</arg>")
                .matcher(pom)
                .results()
                .map(it -> REFERENCE.matcher(it.group(1)).replaceAll(name -> property(name.group(1), pom)))
                .toList();
        assertThat(arguments).isEqualTo(inBase(expected));
    }

    private static String property(String name, String pom) {
        return Pattern.compile("<" + Pattern.quote(name) + ">(.*?)</")
                .matcher(pom)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    @Test
    void theManifestHasTheSamePackages() throws IOException {
        try (JarFile jar = new JarFile(Path.of("target", "heddle.jar").toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Add-Exports")).isEqualTo(String.join(" ", inBase(Access.exported())));
            assertThat(manifest.getValue("Add-Opens")).isEqualTo(String.join(" ", inBase(Access.opened())));
        }
    }

    /// Scripts ask [Access#main], and programs [Access#flags]. Packages that every program may use are no sign of a
    /// list.
    @Test
    void noOtherFileListsThem() throws IOException {
        Pattern sign = Pattern.compile("java\\.base/[a-z]|jdk\\.internal\\.(misc|vm|access)|sun\\.nio\\.ch");
        List<Path> checked = new ArrayList<>();
        try (Stream<Path> all =
                Files.find(ROOT, 20, (it, attributes) -> attributes.isRegularFile() && isBuildOrTool(it))) {
            all.forEach(checked::add);
        }
        assertThat(checked)
                .as("files that are checked")
                .contains(
                        ROOT.resolve("heddle"),
                        ROOT.resolve("core/pom.xml"),
                        ROOT.resolve("tools/stress/run"),
                        ROOT.resolve("cli/src/main/java/dev/heddle/cli/JavaCommand.java"))
                .filteredOn(it -> sign.matcher(read(it)).find())
                .containsExactly(ROOT.resolve("pom.xml"));
    }

    private static boolean isBuildOrTool(Path file) {
        String path = ROOT.relativize(file).toString().replace(File.separatorChar, '/');
        return path.equals("heddle")
                || path.equals("pom.xml")
                || (!path.contains("target/")
                        && (path.endsWith("/pom.xml")
                                || path.startsWith("tools/")
                                || path.matches("(cli|bench)/src/main/.*")));
    }

    @Test
    void theDocumentationHasTheSameFlags() {
        String page = read(ROOT.resolve("docs/compatibility.md"));
        List<String> flags = Pattern.compile("--add-(?:exports|opens)=java\\.base/\\S+=ALL-UNNAMED")
                .matcher(page)
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(flags).containsExactly(Access.flags().split(" "));
    }
}
