package dev.heddle.bench;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Builds the Go peer, with the Go of `HEDDLE_GO` or of the path.
///
/// @param environment where `HEDDLE_GO` and `PATH` are looked up
record GoPeer(Installation installation, int procs, Map<String, String> environment) {

    static final String NAME = "go";

    Peer build() throws MissingPeerException, InterruptedException {
        Path go = find();
        if (go == null) {
            throw new MissingPeerException("there is no go on the PATH, and HEDDLE_GO does not name one");
        }
        Path program = installation.target().resolve("bench-go");
        String version = run(List.of(go.toString(), "env", "GOVERSION"));
        if (isOld(program)) {
            run(List.of(go.toString(), "build", "-o", program.toString(), "."));
        }
        return new Peer(
                NAME,
                "goroutines and channels of " + version.strip(),
                List.of(program.toString()),
                Map.of("GOMAXPROCS", Integer.toString(procs)));
    }

    private @Nullable Path find() throws MissingPeerException {
        String named = environment.get("HEDDLE_GO");
        if (named != null) {
            if (!Files.isExecutable(Path.of(named))) {
                throw new MissingPeerException("HEDDLE_GO is " + named + ", which is no program");
            }
            return Path.of(named);
        }
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(it -> Path.of(it, "go"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    private boolean isOld(Path program) throws MissingPeerException {
        try (Stream<Path> sources = Files.list(sources())) {
            long built = program.toFile().lastModified(); // 0 if there is none
            return sources.anyMatch(it -> it.toFile().lastModified() > built);
        } catch (IOException e) {
            throw new MissingPeerException("its sources cannot be read: " + e.getMessage());
        }
    }

    private Path sources() {
        return installation.bench().resolve("go");
    }

    /// What the go command says; a missing peer if it fails.
    private String run(List<String> command) throws MissingPeerException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(sources().toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new MissingPeerException("'" + String.join(" ", command) + "' failed: " + output.strip());
            }
            return output;
        } catch (IOException e) {
            throw new MissingPeerException("'" + command.getFirst() + "' cannot be run: " + e.getMessage());
        }
    }
}
