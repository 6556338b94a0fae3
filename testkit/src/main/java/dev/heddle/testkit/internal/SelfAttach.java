package dev.heddle.testkit.internal;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/// Attaches the testkit's agent to its own JVM. A JVM may not attach to itself, so a second, short-lived JVM does it.
final class SelfAttach {

    static final String ADVICE = "start the tests with -javaagent:heddle-testkit.jar, in Maven as argLine of Surefire,"
            + " or without -XX:+DisableAttachMechanism and -XX:-EnableDynamicAgentLoading.";

    private static final String AGENT = "dev.heddle.testkit.agent.TestkitAgent";
    private static final long LIMIT_SECONDS = 60;

    private SelfAttach() {}

    static void attach() {
        Path jar = null;
        try {
            jar = agentJar();
            Process helper = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            ownPlace().toString(),
                            AttachMain.class.getName(),
                            Long.toString(ProcessHandle.current().pid()),
                            jar.toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(helper.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!helper.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || helper.exitValue() != 0) {
                throw new IllegalStateException(
                        "the testkit's agent cannot be attached (" + output.strip() + "): " + ADVICE);
            }
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the testkit's agent cannot be attached (" + e.getMessage() + "): " + ADVICE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the testkit's agent was attached: " + ADVICE, e);
        } finally {
            delete(jar);
        }
    }

    /// The jar of this class, or its folder; also if it is on the module path.
    private static Path ownPlace() {
        URL place = SelfAttach.class.getProtectionDomain().getCodeSource().getLocation();
        return Path.of(URI.create(place.toString()));
    }

    /// A jar with a manifest only: the agent's classes are on the class path or module path already.
    private static Path agentJar() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Agent-Class", AGENT);
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        Path jar = Files.createTempFile("heddle-testkit", ".jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    private static void delete(@Nullable Path jar) {
        if (jar != null && !jar.toFile().delete()) {
            new File(jar.toString()).deleteOnExit();
        }
    }
}
