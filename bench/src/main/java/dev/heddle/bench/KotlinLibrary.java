package dev.heddle.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Builds the workloads in Kotlin. They are no part of the ordinary build, which therefore needs no Kotlin compiler.
///
/// @param environment where `PATH` is looked up
record KotlinLibrary(Installation installation, Map<String, String> environment) {

    /// The class path that a JVM needs to run them.
    List<Path> build() throws MissingPeerException, InterruptedException {
        Path folder = installation.bench().resolve("kotlin");
        Path maven = Tool.onPath("mvn", environment.getOrDefault("PATH", ""))
                .orElseThrow(
                        () -> new MissingPeerException("building it needs Maven, and there is no mvn on the PATH"));
        Tool tool = new Tool(maven, folder, Map.of("JAVA_HOME", System.getProperty("java.home")));
        Path jar = folder.resolve("target").resolve("heddle-bench-kotlin.jar");
        if (tool.isOlder(jar)) {
            tool.run("-q", "-B", "package");
        }
        return List.of(jar, jar.resolveSibling("lib").resolve("*"));
    }
}
