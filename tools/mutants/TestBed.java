import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// A copy of the compiled classes, in which one class at a time is replaced by a mutant, and the tests that run on it.
final class TestBed {

    private static final Path KERNEL = Path.of("dev/heddle/internal/kernel");

    private final Path root;
    private final Path work;
    private final Path pristine;
    private final Path classes;
    private final Path tests;
    private final String libraries;
    private final List<String> flags;
    private final boolean randomize;
    private final long quietSeconds;
    private final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();

    /// @param libraries    the class path of the tests' libraries
    /// @param quietSeconds if no test starts or ends for this long, the run hangs
    TestBed(Path root, Path work, String libraries, boolean randomize, long quietSeconds) throws IOException {
        this.root = root;
        this.work = work;
        this.pristine = work.resolve("pristine");
        this.classes = work.resolve("classes");
        this.tests = work.resolve("test-classes");
        this.libraries = libraries;
        this.flags = flagsOf(Files.readString(root.resolve("pom.xml")));
        this.randomize = randomize;
        this.quietSeconds = quietSeconds;
    }

    // ---- the tests

    /// Runs the tests on the unchanged classes. They must pass; otherwise the results of mutants mean nothing.
    void baseline(List<String> named) throws Exception {
        System.out.println("unchanged: " + String.join(" ", named));
        Path out = work.resolve("unchanged.out");
        Outcome outcome = run(named, out);
        if (outcome != Outcome.SURVIVED) {
            throw new IllegalStateException(
                    "The unchanged code does not pass these tests, see " + out + ": " + failureIn(out));
        }
    }

    /// Runs the tests that should notice the mutant.
    Results.Row test(Mutant mutant) throws Exception {
        long begin = System.nanoTime();
        Path out = Files.createDirectories(work.resolve("outputs")).resolve(mutant.fileName());
        Outcome outcome = Outcome.DOES_NOT_COMPILE;
        String by = "";
        try {
            if (compile(mutant)) {
                preload();
                List<String> tests = mutant.place().tests();
                outcome = run(tests, out);
                by = outcome == Outcome.SURVIVED ? "" : failureIn(out);
                if (outcome == Outcome.KILLED && !isConfirmed(by, out)) {
                    outcome = run(tests, out); // the first failure was chance; a second one is believed
                    by = outcome == Outcome.SURVIVED ? "" : failureIn(out);
                }
            }
        } finally {
            restore(mutant.place().type());
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        return new Results.Row(mutant.id(), mutant.hash(), outcome, by, seconds);
    }

    /// Whether the same test, alone, fails again: on a busy computer one failure may be chance.
    private boolean isConfirmed(String test, Path out) throws Exception {
        String named = test.replaceFirst("\\[\\d+\\]$", ""); // all rounds of a parameterised test
        return named.isEmpty() || run(List.of(named), out.resolveSibling("again.out")) != Outcome.SURVIVED;
    }

    private Outcome run(List<String> named, Path out) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // cheaper for a few seconds of tests
        command.add("-Dheddle.stress.seconds=3");
        command.add("-Dheddle.test.patience=" + Math.min(90, quietSeconds / 4)); // so that Rig describes a hang
        command.add("-Dheddle.randomize=" + randomize);
        command.add("-cp");
        command.add(String.join(
                File.pathSeparator,
                classes.toString(),
                tests.toString(),
                work.resolve("runner").toString(),
                libraries));
        command.add("RunTests");
        command.addAll(named);
        Path folder = Files.createDirectories(work.resolve("core")); // these tests do not need "../docs"
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            long size = 0;
            for (long quiet = 0; !process.waitFor(1, TimeUnit.SECONDS); quiet++) {
                long now = Files.size(out);
                if (now != size) {
                    quiet = 0;
                    size = now;
                } else if (quiet > quietSeconds) {
                    return Outcome.HUNG;
                }
            }
            return process.exitValue() == 0 ? Outcome.SURVIVED : Outcome.KILLED;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    /// The last output of `RunTests`: the test that failed, or the test that was running at the timeout.
    private static String failureIn(Path out) throws IOException {
        String last = "";
        try (Stream<String> lines = Files.lines(out, StandardCharsets.ISO_8859_1)) {
            for (String line : (Iterable<String>) lines::iterator) {
                if (line.startsWith("RUNS ") || line.startsWith("FAILED ")) {
                    last = line;
                }
            }
        }
        return last.replaceFirst("^(RUNS|FAILED) ", "");
    }

    // ---- compiling

    private boolean compile(Mutant mutant) throws IOException {
        Path file = work.resolve("src").resolve(KERNEL).resolve(mutant.place().type() + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, mutant.changed());
        List<String> options = new ArrayList<>(List.of(
                "-proc:none",
                "-nowarn",
                "-XDstringConcat=inline",
                "-d",
                classes.toString(),
                "-cp",
                classes + File.pathSeparator + libraries));
        flags.stream().filter(it -> it.startsWith("--add-exports=")).forEach(options::add); // javac knows no others
        try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null);
                PrintWriter log = new PrintWriter(work.resolve("javac.out").toFile(), StandardCharsets.UTF_8)) {
            return javac.getTask(log, files, null, options, null, files.getJavaFileObjects(file))
                    .call();
        }
    }

    /// The words of the parent's properties, which alone define the flags of the tests.
    private static List<String> flagsOf(String pom) {
        List<String> words = new ArrayList<>();
        for (String property : List.of("heddle.exports", "heddle.opens", "checker.flags")) {
            String flags = Pattern.compile("\\$\\{(.+?)}")
                    .matcher(valueOf(property, pom))
                    .replaceAll(it -> valueOf(it.group(1), pom));
            words.addAll(List.of(flags.split("\\s+")));
        }
        return words;
    }

    private static String valueOf(String property, String pom) {
        Matcher matcher = Pattern.compile("<" + property + ">(.*?)</" + property + ">", Pattern.DOTALL)
                .matcher(pom);
        if (!matcher.find()) {
            throw new IllegalStateException("pom.xml has no property " + property);
        }
        return matcher.group(1).strip();
    }

    // ---- the copy

    /// Copies the classes of the last build.
    void copyClasses() throws Exception {
        copy(root.resolve("core/target/classes"), pristine);
        Files.copy(
                root.resolve("core/src/build/preload.txt"),
                work.resolve("preload.txt"),
                StandardCopyOption.REPLACE_EXISTING);
        copy(pristine, classes);
        copy(root.resolve("core/target/test-classes"), tests);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    /// Puts the unchanged class back.
    private void restore(String type) throws Exception {
        try (Stream<Path> files = Files.list(pristine.resolve(KERNEL))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                if (name.equals(type + ".class") || name.startsWith(type + "$")) {
                    Files.copy(file, classes.resolve(KERNEL).resolve(name), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        preload();
    }

    /// The agent reads its classes from one file.
    private void preload() throws Exception {
        String list = work.resolve("preload.txt").toString();
        Class.forName("PreloadFile")
                .getMethod("main", String[].class)
                .invoke(null, (Object) new String[] {list, classes.toString()});
    }
}
