package dev.heddle.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Somebody who runs the workloads, in a process of its own.
///
/// @param name        as in `--peers`, and in the heads of columns
/// @param description one line for the head of a report
/// @param command     what starts its process
/// @param environment what its process finds there, beyond our own
record Peer(String name, String description, List<String> command, Map<String, String> environment) {

    /// Heddle's own idiom: what all others are compared with.
    static final String HEDDLE = "heddle";

    /// Plain virtual threads on Heddle: what the stock scheduler is compared with in the second table.
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
