package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/// Agent jars for tests: a manifest that leads to the classes of this build, or the jar that the build made of them.
public final class AgentJar {

    private AgentJar() {}

    /// The jar of this build, library and agent. Tests of core only.
    static Path packaged() {
        Path jar = Path.of("target", "heddle.jar");
        assertThat(jar).as("made by 'mvn -pl core test-compile'").isRegularFile();
        return jar.toAbsolutePath();
    }

    /// A jar in `folder` with Heddle as its agent.
    public static Path of(Path folder) throws IOException {
        return of(folder.resolve("heddle.jar"), HeddleAgent.class, HeddleAgent.class);
    }

    /// A jar whose agent is `premain`, with the classes of `premain` and of `member` on its class path.
    static Path of(Path jar, Class<?> premain, Class<?> member) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", premain.getName());
        attributes.putValue("Agent-Class", premain.getName());
        attributes.put(Attributes.Name.CLASS_PATH, folderOf(premain) + " " + folderOf(member));
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.finish();
        }
        return jar;
    }

    /// Where a class is, as a URL for a class path in a manifest.
    static String folderOf(Class<?> type) {
        try {
            return type.getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI()
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
