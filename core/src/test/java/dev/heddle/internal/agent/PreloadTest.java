package dev.heddle.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.agent.HeddleAgent;
import dev.heddle.agent.PlainProgram;
import dev.heddle.testing.ChildJvm;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the installation needs is defined from the agent's jar, and the list of it stays true.
class PreloadTest {

    @TempDir
    private static Path folder;

    private static Path agent;

    @BeforeAll
    static void makeAgent() throws Exception {
        agent = folder.resolve("a real heddle.jar");
        Path classes = ChildJvm.home(HeddleAgent.class);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", HeddleAgent.class.getName());
        try (OutputStream file = Files.newOutputStream(agent);
                JarOutputStream out = new JarOutputStream(file, manifest);
                Stream<Path> all = Files.walk(classes)) {
            for (Path path : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                out.putNextEntry(new JarEntry(classes.relativize(path).toString()));
                Files.copy(path, out);
            }
        }
    }

    private static ChildJvm.Result run(String... options) throws InterruptedException {
        return ChildJvm.withoutHeddle(PlainProgram.class)
                .option(options)
                .option("-Xlog:class+load:stdout:none", "-javaagent:" + agent)
                .run();
    }

    private static List<String> loadedBeforeTheProgram(ChildJvm.Result child) {
        return child.out()
                .lines()
                .takeWhile(it -> !it.startsWith(PlainProgram.class.getName()))
                .filter(it -> it.startsWith("dev.heddle."))
                .toList();
    }

    @Test
    void theListIsTrue() throws Exception {
        List<String> loaded = loadedBeforeTheProgram(run());

        assertThat(loaded.stream().filter(it -> it.endsWith("source: __JVM_DefineClass__")))
                .as("each of the list is defined from the jar")
                .hasSize(Files.readAllLines(Path.of("src", "build", "preload.txt"))
                        .size());
        assertThat(loaded.stream().filter(it -> !it.endsWith("source: __JVM_DefineClass__")))
                .as("loaded by the class loader: few, or they belong to the list")
                .hasSizeLessThan(12);
    }

    /// An archive has them prepared, and knows them only by their loader.
    @Test
    void whereClassesAreArchivedTheLoaderLoadsThem() throws Exception {
        ChildJvm.Result child =
                run("-XX:SharedArchiveFile=" + folder.resolve("none.jsa"), "-Xlog:disable", "-Xshare:auto");

        assertThat(loadedBeforeTheProgram(child)).isNotEmpty().noneMatch(it -> it.endsWith("__JVM_DefineClass__"));
    }
}
