package dev.heddle.bench;

import dev.heddle.bench.peer.Scraper;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The peers on a JVM. All use the same JDK, collector, heap and flags, except for the agent.
///
/// @param jvmOptions the JVM options of all these peers
record JvmPeers(Installation installation, int procs, List<String> jvmOptions) {

    static final String KOTLIN = "kotlin";
    static final String JOX = "jox";
    static final String DOCTOR = "doctor";
    static final String METRICS = "metrics";

    private static final String HEDDLE_IDIOM = "dev.heddle.bench.heddle.HeddleIdiom";

    /// Enough heap for a million parked threads, and no size that the JVM would derive from the host. Without
    /// `UseCondCardMark` every store of a reference also writes to the card table. One cache line of that table
    /// covers 32 KB of heap, so two cores contend for it, more or less depending on where the objects are.
    static final List<String> DEFAULT_OPTIONS =
            List.of("-XX:+UseParallelGC", "-XX:+UseCondCardMark", "-Xms2g", "-Xmx4g", "-Xmn512m");

    Peer heddle() throws MissingPeerException {
        return onHeddle(Peer.HEDDLE, "Heddle's goroutines and channels", HEDDLE_IDIOM);
    }

    Peer dropIn() throws MissingPeerException {
        return onHeddle(Peer.DROP_IN, "plain virtual threads on Heddle", "dev.heddle.bench.threads.ThreadsIdiom");
    }

    /// As [#heddle()], while the doctor records it in consecutive windows.
    Peer watched() throws MissingPeerException, IOException {
        Path record = Files.createTempFile("heddle-bench", ".record");
        record.toFile().deleteOnExit();
        return onHeddle(DOCTOR, "heddle, while the doctor watches it", HEDDLE_IDIOM, "-Dheddle.record=" + record);
    }

    /// As [#heddle()], while a thread of the same process fetches its metrics every second.
    Peer scraped() throws MissingPeerException, IOException {
        int port = freePort();
        Peer peer = onHeddle(
                METRICS, "heddle, its metrics fetched every second", HEDDLE_IDIOM, "-D" + Scraper.PORT + "=" + port);
        return new Peer(peer.name(), peer.description(), peer.command(), Map.of("HEDDLE_DEBUG", "metrics=" + port));
    }

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    Peer jdk() {
        return onJdk(Peer.JDK, "plain virtual threads on the JDK's scheduler", "dev.heddle.bench.threads.ThreadsIdiom");
    }

    Peer jox() {
        return onJdk(JOX, "channels of Jox on the JDK's virtual threads", "dev.heddle.bench.jox.JoxIdiom");
    }

    Peer kotlin(KotlinLibrary library) throws MissingPeerException, InterruptedException {
        List<String> libraries = library.build().stream().map(Path::toString).toList();
        return onJvm(
                KOTLIN,
                "Kotlin's coroutines and channels",
                "dev.heddle.bench.kotlin.KotlinIdiom",
                List.of("-Dkotlinx.coroutines.scheduler.core.pool.size=" + procs),
                libraries);
    }

    /// The client of the echo servers. It is not measured.
    Peer client() {
        return onJdk("client", "the client of servers", "dev.heddle.bench.peer.EchoClient");
    }

    private Peer onHeddle(String name, String description, String idiom, String... options)
            throws MissingPeerException {
        if (Files.isDirectory(installation.heddle())) {
            throw new MissingPeerException("heddle.jar is not built: run 'mvn package' first");
        }
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-javaagent:" + installation.heddle());
        return onJvm(name, description, idiom, all, List.of());
    }

    private Peer onJdk(String name, String description, String idiom) {
        return onJvm(name, description, idiom, List.of(), List.of());
    }

    private Peer onJvm(String name, String description, String idiom, List<String> options, List<String> libraries) {
        List<String> classPath = new ArrayList<>(libraries);
        classPath.add(System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(Peer.java()));
        command.addAll(options);
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Dheddle.procs=" + procs,
                "-Djdk.virtualThreadScheduler.parallelism=" + procs,
                "-cp",
                String.join(File.pathSeparator, classPath),
                "dev.heddle.bench.peer.PeerMain",
                idiom));
        return new Peer(name, description, command, Map.of());
    }
}
