package dev.heddle.client;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A process of this host, as `/proc` shows it. Without `/proc` nothing is known but that the process exists.
///
/// Every answer may be outdated at once: the process may end at any time.
final class TargetProcess {

    private static final Path PROC = Path.of("/proc");
    private static final int UNKNOWN = -1;

    private final ProcessHandle handle;
    private final Path directory;

    TargetProcess(ProcessHandle handle) {
        this.handle = handle;
        this.directory = PROC.resolve(Long.toString(handle.pid()));
    }

    /// @throws IOException with one sentence, if there is no such process
    static TargetProcess of(long pid) throws IOException {
        return new TargetProcess(
                ProcessHandle.of(pid).orElseThrow(() -> new IOException("there is no process " + pid + ".")));
    }

    /// All processes that can be seen from here.
    static Stream<TargetProcess> all() {
        return ProcessHandle.allProcesses().map(TargetProcess::new);
    }

    long pid() {
        return handle.pid();
    }

    /// Its directory under `/proc`.
    Path directory() {
        return directory;
    }

    boolean isAlive() {
        return handle.isAlive();
    }

    /// Waits for its end, up to `limit`; returns whether it has ended.
    boolean endsWithin(Duration limit) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (isAlive() && System.nanoTime() < end) {
            Pause.millis(10);
        }
        return !isAlive();
    }

    /// How long it has been running; a long time if that is not known.
    Duration age() {
        return handle.info()
                .startInstant()
                .map(it -> Duration.between(it, Instant.now()))
                .orElse(Duration.ofDays(1));
    }

    /// The processes that it started, and the processes that these started.
    List<TargetProcess> descendants() {
        return handle.descendants().map(TargetProcess::new).toList();
    }

    /// The words of its command line, as far as they can be read.
    String commandLine() {
        return readable("cmdline").replace('\0', ' ');
    }

    /// Its environment, one variable a line, as far as it can be read.
    String environment() {
        return readable("environ").replace('\0', '\n');
    }

    /// Whether it has loaded a JVM.
    boolean isJvm() {
        return readable("maps").contains("libjvm.") || !Files.isDirectory(PROC.resolve("self"));
    }

    /// Whether it handles a signal. True if that is not known.
    boolean handles(int signal) {
        String mask = status().get("SigCgt");
        return mask == null || new BigInteger(mask, 16).testBit(signal - 1);
    }

    /// The number of the user it acts for; -1 if that is not known.
    int user() {
        String users = status().get("Uid"); // real, effective, saved, file system
        return users == null ? UNKNOWN : Integer.parseInt(users.split("\\s+", -1)[1]);
    }

    /// Whether the caller may observe it: as the same user, or as root.
    boolean isOpenToUs() {
        int own = new TargetProcess(ProcessHandle.current()).user();
        return own <= 0 || user() == own;
    }

    String userName() {
        return handle.info().user().orElse(Integer.toString(user()));
    }

    /// Its number as it knows itself: in the innermost of its PID namespaces.
    long ownPid() {
        String numbers = status().get("NSpid");
        return numbers == null ? pid() : Long.parseLong(numbers.substring(numbers.lastIndexOf('\t') + 1));
    }

    /// A path of its file system, as it can be used here. Its root may differ from ours, in a container.
    Path seenFromHere(Path path) {
        Path root = directory.resolve("root");
        return Files.isDirectory(root.resolve("proc"))
                ? root.resolve(path.toString().substring(1))
                : path;
    }

    private Map<String, String> status() {
        Map<String, String> status = new HashMap<>();
        readable("status").lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                status.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return status;
    }

    /// A file of its directory; empty if it cannot be read.
    private String readable(String file) {
        try {
            return new String(Files.readAllBytes(directory.resolve(file)), StandardCharsets.UTF_8);
        } catch (IOException _) {
            return "";
        }
    }
}
