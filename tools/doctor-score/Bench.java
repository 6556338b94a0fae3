import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/// Compiles programs, starts them under the agent, and asks the doctor about them as a user would.
final class Bench {

    private static final String HEAP = "-Xmx768m";

    private final Path root;
    private final Path work;
    private final Path heddle;
    private final Path jdk = Path.of(System.getProperty("java.home"));
    private final Queue<Process> started = new ConcurrentLinkedQueue<>();

    /// The agent is copied, so that a build during the examination does not change it under the programs.
    Bench(Path root, Path work) throws IOException {
        this.root = root;
        this.work = work;
        this.heddle = Files.createTempFile(work, "heddle", ".jar");
        heddle.toFile().deleteOnExit();
        Files.copy(root.resolve("core/target/heddle.jar"), heddle, StandardCopyOption.REPLACE_EXISTING);
        // Ctrl-C leaves no program behind.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> started.forEach(Process::destroyForcibly)));
    }

    /// A program that runs. Closing it ends it, and its load.
    final class Running implements AutoCloseable {
        private final Program program;
        private final Process process;
        private final Path output;
        private final int port;
        private Process load;

        private Running(Program program, Process process, Path output, int port) {
            this.program = program;
            this.process = process;
            this.output = output;
            this.port = port;
        }

        long pid() {
            return process.pid();
        }

        boolean isAlive() {
            return process.isAlive();
        }

        /// Starts the load when the program says that it serves, if it wants any.
        void startLoadWhenOpen() throws IOException, InterruptedException {
            boolean isOpen = load == null
                    && program.value("load").isPresent()
                    && Files.readString(output).contains("shop open");
            if (isOpen) {
                Path classes = work.resolve("load");
                compile(classes, "", List.of(root.resolve("tools/servers/Load.java")));
                load = start(
                        work.resolve(program.name() + "-load.txt"),
                        jdk.resolve("bin/java").toString(),
                        HEAP,
                        "-cp",
                        classes.toString(),
                        "Load",
                        "cold",
                        "300",
                        work.resolve(program.name() + "-load-results.txt").toString(),
                        program.name() + "=" + port);
            }
        }

        /// What the doctor says after it has watched for so long. If it cannot answer, that is its finding.
        List<Finding> askDoctor(int seconds) throws IOException, InterruptedException {
            Path answer = work.resolve(program.name() + "-doctor.json");
            Path complaint = work.resolve(program.name() + "-doctor.txt");
            String command = root.resolve("heddle").toString();
            Process doctor = new ProcessBuilder(command, "doctor", "" + pid(), "--seconds", "" + seconds, "--json")
                    .redirectOutput(answer.toFile())
                    .redirectError(complaint.toFile())
                    .start();
            started.add(doctor);
            doctor.waitFor();
            String json = Files.readString(answer);
            if (!isAlive()) {
                throw new IOException(program.name() + " has ended by itself: see " + output + ".");
            }
            return json.isBlank()
                    ? List.of(Finding.noAnswer(Files.readString(complaint).strip()))
                    : Finding.parse(json);
        }

        @Override
        public void close() {
            end(load);
            end(process);
        }

        private void end(Process it) {
            if (it != null) {
                it.destroyForcibly();
                it.onExit().join();
            }
        }
    }

    Running start(Program program) throws IOException, InterruptedException {
        Path classes = work.resolve("classes").resolve(program.name());
        String classPath = "";
        if (program.value("jars").isPresent()) {
            classPath = jars(root.resolve(program.value("jars").get()));
        }
        compile(classes, heddle + File.pathSeparator + classPath, List.of(program.file()));
        Path output = work.resolve(program.name() + ".txt");
        int port = freePort();
        Process process = start(
                output,
                jdk.resolve("bin/java").toString(),
                HEAP,
                "--enable-native-access=ALL-UNNAMED",
                "-javaagent:" + heddle,
                "-cp",
                classes + File.pathSeparator + classPath,
                program.name(),
                "" + port);
        return new Running(program, process, output, port);
    }

    /// The class path of a Maven project that is no module of the build, with the classes of its sources.
    private String jars(Path project) throws IOException, InterruptedException {
        Path target = work.resolve("jars").resolve(project.getFileName());
        Path list = target.resolve("classpath");
        if (!Files.exists(list)) {
            Files.createDirectories(target);
            run("mvn", "-q", "-B", "-f", project.resolve("pom.xml").toString(), "dependency:build-classpath",
                    "-Dmdep.outputFile=" + list);
        }
        String jars = Files.readString(list).strip();
        Path classes = target.resolve("classes");
        Path sources = project.resolve("src/main/java");
        if (Files.isDirectory(sources)) {
            try (Stream<Path> files = Files.walk(sources)) {
                compile(classes, jars, files.filter(it -> it.toString().endsWith(".java")).toList());
            }
        }
        return classes + File.pathSeparator + jars;
    }

    private void compile(Path classes, String classPath, List<Path> files) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                jdk.resolve("bin/javac").toString(), "-proc:none", "-nowarn", "-parameters", "-d", classes.toString(),
                "-cp", classPath));
        files.forEach(it -> command.add(it.toString()));
        run(command.toArray(String[]::new));
    }

    private void run(String... command) throws IOException, InterruptedException {
        Path log = work.resolve("build.txt");
        if (start(log, command).waitFor() != 0) {
            throw new IOException("'" + String.join(" ", command) + "' failed: " + Files.readString(log).strip());
        }
    }

    private Process start(Path output, String... command) throws IOException {
        started.removeIf(it -> !it.isAlive());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        started.add(process);
        return process;
    }

    private static int freePort() throws IOException {
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }
}
