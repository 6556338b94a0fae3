package dev.heddle.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Builds the Go peer, with the Go installation of `HEDDLE_GO` or of the path.
///
/// @param environment where `HEDDLE_GO` and `PATH` are looked up
record GoPeer(Installation installation, int procs, Map<String, String> environment) {

    static final String NAME = "go";

    Peer build() throws MissingPeerException, InterruptedException {
        Tool go = new Tool(find(), installation.bench().resolve("go"), Map.of());
        String version = go.run("env", "GOVERSION").strip();
        Path program = installation.target().resolve("bench-" + version);
        if (go.isOlder(program)) {
            go.run("build", "-o", program.toString(), ".");
        }
        return new Peer(
                NAME,
                "goroutines and channels of " + version,
                List.of(program.toString()),
                Map.of("GOMAXPROCS", Integer.toString(procs)));
    }

    private Path find() throws MissingPeerException {
        String named = environment.get("HEDDLE_GO");
        if (named == null) {
            return Tool.onPath("go", environment.getOrDefault("PATH", ""))
                    .orElseThrow(() ->
                            new MissingPeerException("there is no go on the PATH, and HEDDLE_GO does not name one"));
        }
        if (!Files.isExecutable(Path.of(named))) {
            throw new MissingPeerException("HEDDLE_GO is " + named + ", which is no program");
        }
        return Path.of(named);
    }
}
