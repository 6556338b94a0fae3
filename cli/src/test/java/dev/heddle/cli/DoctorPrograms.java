package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// The programs that [RecordedProgram] starts: the bugs of `examples/bugs/`, and those among the test resources.
final class DoctorPrograms {
    private DoctorPrograms() {}

    /// All at once: a compiler per program would take longer than to watch it. All of them look names up by a slow
    /// service.
    static void compileInto(Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-nowarn", "-d", classes.toString(), "-cp", HeddleJar.locate().toString()));
        Path programs = Path.of("src", "test", "resources", "dev", "heddle", "cli");
        for (String name : List.of("Healthy.java", "Sick.java", "Troubles.java", "SlowResolver.java")) {
            arguments.add(programs.resolve(name).toString());
        }
        try (Stream<Path> files = Files.list(Path.of("..", "examples", "bugs"))) {
            files.map(Path::toString).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        Path services = Files.createDirectories(classes.resolve("META-INF").resolve("services"));
        Files.writeString(services.resolve("java.net.spi.InetAddressResolverProvider"), "SlowResolver");
    }
}
