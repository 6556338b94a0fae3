package dev.heddle.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The conditions of a run. Without them its figures mean little.
///
/// @param peers the peers that took part
/// @param load  the load average before the run: how busy the host was with other processes
record Circumstances(
        Instant time,
        String machine,
        double load,
        int procs,
        Runner.Plan plan,
        List<String> jvmOptions,
        List<Peer> peers) {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    static Circumstances now(int procs, Runner.Plan plan, List<String> jvmOptions, List<Peer> peers) {
        var system = ManagementFactory.getOperatingSystemMXBean();
        String machine = "%d CPUs%s, %s %s"
                .formatted(system.getAvailableProcessors(), cpuModel(), system.getName(), system.getArch());
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        return new Circumstances(now, machine, system.getSystemLoadAverage(), procs, plan, jvmOptions, peers);
    }

    private static String cpuModel() {
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(it -> it.startsWith("model name"))
                    .map(it -> " (" + it.substring(it.indexOf(':') + 1).strip() + ")")
                    .findFirst()
                    .orElse("");
        } catch (IOException _) {
            return ""; // not Linux
        }
    }

    /// A few lines for the head of a report.
    List<String> lines() {
        String sizes = plan.isQuick() ? "small sizes: a look, not a measurement" : "full sizes";
        return Stream.concat(
                        Stream.of(
                                "%s, %s, load average %s"
                                        .formatted(time, machine, String.format(Locale.ROOT, "%.1f", load)),
                                "%d processors, %d rounds after %d to warm up, %s"
                                        .formatted(procs, plan.rounds(), plan.warmUps(), sizes),
                                "JDK " + Runtime.version() + ", all JVMs with " + String.join(" ", jvmOptions)),
                        peers.stream().map(it -> it.name() + ": " + it.description()))
                .toList();
    }
}
