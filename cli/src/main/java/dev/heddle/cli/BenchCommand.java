package dev.heddle.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `heddle bench`: starts the benchmarks. They are a separate program, because only they need their libraries.
@Command(
        name = "bench",
        description = "Compares Heddle with other schedulers.",
        customSynopsis = "heddle bench [NAME]... [OPTION]...")
final class BenchCommand implements Callable<Integer> {

    @Parameters(hidden = true)
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path heddle = HeddleJar.locate();
        Path built = heddle.resolve("../../../bench/target").normalize();
        Path jar = built.resolve("heddle-bench.jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException("the benchmarks are not built; './heddle bench' or 'mvn package' does it.");
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // it only controls the peers, and leaves the CPUs to them
                "-XX:+UseSerialGC",
                "-cp",
                String.join(File.pathSeparator, jar.toString(), heddle.toString(), built.resolve("lib") + "/*"),
                "dev.heddle.bench.Bench"));
        command.addAll(arguments);
        return ForegroundProcess.run(command);
    }
}
