package dev.heddle.bench;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A program on this host that builds a peer from its sources, on first use and when the sources have changed.
///
/// @param command     its path
/// @param sources     the folder it runs in
/// @param environment variables for it, in addition to our own
record Tool(Path command, Path sources, Map<String, String> environment) {

    /// The first program of that name in the folders of `path`.
    static Optional<Path> onPath(String name, String path) {
        return Stream.of(path.split(File.pathSeparator, -1))
                .map(it -> Path.of(it, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Whether `product` is older than a source file, or does not exist.
    boolean isOlder(Path product) throws MissingPeerException {
        long built = product.toFile().lastModified(); // 0 if it does not exist
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(it -> !it.startsWith(sources.resolve("target")))
                    .filter(Files::isRegularFile)
                    .anyMatch(it -> it.toFile().lastModified() > built);
        } catch (IOException e) {
            throw new MissingPeerException("its sources cannot be read: " + e.getMessage());
        }
    }

    /// Runs the program and returns its output.
    ///
    /// @throws MissingPeerException if it fails
    String run(String... arguments) throws MissingPeerException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(command.toString()));
        line.addAll(List.of(arguments));
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(line).directory(sources.toFile()).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new MissingPeerException("'%s' failed: %s".formatted(String.join(" ", line), gist(output)));
            }
            return output;
        } catch (IOException e) {
            throw new MissingPeerException("'%s' cannot be run: %s".formatted(command, e.getMessage()));
        }
    }

    /// The most informative line: the first that contains an error, otherwise the first.
    private static String gist(String output) {
        return output.lines()
                .filter(it -> it.contains("ERROR") || it.contains("error"))
                .findFirst()
                .or(() -> output.lines().findFirst())
                .orElse("it does not say why")
                .strip();
    }
}
