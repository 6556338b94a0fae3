package dev.heddle.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A program that runs the workloads, in its own process.
///
/// @param name        its name in `--peers` and in column headings
/// @param description one line for the head of a report
/// @param command     the command that starts its process
/// @param environment variables for its process, in addition to our own
record Peer(String name, String description, List<String> command, Map<String, String> environment) {

    /// Heddle's own idiom, with which all others are compared.
    static final String HEDDLE = "heddle";

    /// Plain virtual threads on Heddle, with which the stock scheduler is compared in the second table.
    static final String DROP_IN = "drop-in";

    /// Plain virtual threads on the JDK's own scheduler.
    static final String JDK = "jdk";

    Peer {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    PeerProcess start() {
        return new PeerProcess(this);
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
