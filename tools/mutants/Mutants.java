import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Changes one line of the kernel at a time, runs the tests that should fail, and lists undetected changes.
///
/// Started by `tools/mutants/run`, which describes the options. The JDK's own parser finds the mutants in the methods
/// that `places` names, so that they follow the code; `orderings` adds hand-written replacements. The tests run on a
/// copy of the compiled classes in which the classes of one file are replaced.
public final class Mutants {

    /// Reported, but neither killed nor survived.
    private static final String DOES_NOT_COMPILE = "does not compile";

    private static final String KILLED = "killed";
    private static final String HUNG = "hung";
    private static final String SURVIVED = "SURVIVED";

    /// Statements that are not mutated: a delay for tests or a throw is no step of a protocol.
    private static final Pattern NO_STEP = Pattern.compile("Chaos\\.point\\(\\)|throw .*|super\\(.*");

    /// A class, the methods to be changed, and the tests that should fail, the quickest first.
    private record Place(String type, Pattern methods, List<String> tests) {}

    /// One change: the characters `from` to `to` of the file become `replacement`.
    private record Mutant(Place place, String id, String source, int from, int to, String replacement) {

        String changed() {
            return source.substring(0, from) + replacement + source.substring(to);
        }

        /// Identifies the source of the class: a stored result is invalid when the source has changed.
        String hash() {
            return Integer.toHexString(source.hashCode());
        }
    }

    private record Row(String id, String hash, String outcome, String by, long seconds) {

        String line() {
            return String.join("\t", id, hash, outcome, by, Long.toString(seconds));
        }

        boolean survived() {
            return outcome.equals(SURVIVED);
        }
    }

    private final Path root;
    private final Path work;
    private final Path pristine;
    private final Path classes;
    private final Path tests;
    private final String libraries;
    private final List<String> flags;
    private final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();

    // Options.
    private final Set<String> kinds = new LinkedHashSet<>(List.of("call", "hand"));
    private Pattern only = Pattern.compile("");
    private boolean list;
    private boolean again;
    private boolean fresh;
    private boolean randomize;

    /// If no test starts or ends for this long, the run hangs. Longer than any wait in a test.
    private long quietSeconds = 150;

    private Mutants(Path root, Path work, String libraries) throws IOException {
        this.root = root;
        this.work = work;
        this.pristine = work.resolve("pristine");
        this.classes = work.resolve("classes");
        this.tests = work.resolve("test-classes");
        this.libraries = libraries;
        this.flags = flagsOf(Files.readString(root.resolve("pom.xml")));
    }

    public static void main(String[] args) throws Exception {
        Mutants mutants = new Mutants(Path.of(args[0]), Path.of(args[1]), args[2]);
        mutants.parse(Arrays.asList(args).subList(3, args.length));
        System.exit(mutants.run());
    }

    private void parse(List<String> words) {
        var rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "--list" -> list = true;
                case "--again" -> again = true;
                case "--fresh" -> fresh = true;
                case "--randomize" -> randomize = true;
                case "--only" -> only = Pattern.compile(rest.next());
                case "--timeout" -> quietSeconds = Long.parseLong(rest.next());
                case "--kinds" -> {
                    kinds.clear();
                    kinds.addAll(List.of(rest.next().split(",")));
                }
                default -> throw new IllegalArgumentException("unknown option: " + word);
            }
        }
    }

    // ---- the run

    private int run() throws Exception {
        List<Mutant> mutants = new ArrayList<>();
        for (Place place : places()) {
            mutants.addAll(find(place));
        }
        mutants.removeIf(it -> !only.matcher(it.id()).find());
        if (list) {
            mutants.forEach(it -> System.out.println(it.id()));
            System.out.println(mutants.size() + " mutants");
            return 0;
        }
        Path results = work.resolve("results.tsv");
        if (fresh) {
            Files.deleteIfExists(results);
        }
        Map<String, Row> done = read(results);
        copyClasses();
        List<Row> rows = new ArrayList<>();
        Set<List<String>> passed = new HashSet<>();
        int number = 0;
        for (Mutant mutant : mutants) {
            number++;
            String hash = mutant.hash();
            Row row = done.get(mutant.id());
            if (row == null || !row.hash().equals(hash) || (again && row.survived())) {
                List<String> named = mutant.place().tests();
                if (passed.add(named)) {
                    baseline(named);
                }
                row = test(mutant, hash);
                Files.writeString(
                        results, row.line() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                System.out.printf(
                        "%4d/%d %-9s %4d s  %s   %s%n",
                        number, mutants.size(), row.outcome(), row.seconds(), row.id(), row.by());
            }
            rows.add(row);
        }
        return report(rows);
    }

    /// Runs the tests on the unchanged classes. They must pass; otherwise the results of mutants mean nothing.
    private void baseline(List<String> named) throws Exception {
        System.out.println("unchanged: " + String.join(" ", named));
        Path out = work.resolve("unchanged.out");
        String outcome = runTests(named, out);
        if (!outcome.equals(SURVIVED)) {
            throw new IllegalStateException(
                    "The unchanged code does not pass these tests, see " + out + ": " + failureIn(out));
        }
    }

    private Row test(Mutant mutant, String hash) throws Exception {
        long begin = System.nanoTime();
        Path out = outputOf(mutant);
        String outcome = DOES_NOT_COMPILE;
        try {
            if (compile(mutant)) {
                preload();
                outcome = runTests(mutant.place().tests(), out);
            }
        } finally {
            restore(mutant.place().type());
        }
        String by = outcome.equals(KILLED) || outcome.equals(HUNG) ? failureIn(out) : "";
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        return new Row(mutant.id(), hash, outcome, by, seconds);
    }

    /// Kept, so that a reader can check why the tests failed, or where they hung.
    private Path outputOf(Mutant mutant) throws IOException {
        String name = mutant.id().replaceAll("[^A-Za-z0-9.]+", "_");
        return Files.createDirectories(work.resolve("outputs")).resolve(name + ".txt");
    }

    private String runTests(List<String> named, Path out) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // cheaper for a few seconds of tests
        command.add("-Dheddle.stress.seconds=3");
        command.add("-Dheddle.test.patience=" + Math.min(90, quietSeconds / 5)); // so that Rig describes a hang
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
                    dumpThreads(process);
                    return HUNG;
                }
            }
            return process.exitValue() == 0 ? SURVIVED : KILLED;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    /// Appends the stacks of all platform threads to the output: a hang is told from a busy computer by them.
    private static void dumpThreads(Process process) throws Exception {
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
        boolean _ = process.waitFor(3, TimeUnit.SECONDS);
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

    // ---- finding mutants

    private List<Place> places() throws IOException {
        List<Place> places = new ArrayList<>();
        for (String line : linesOf("places")) {
            String[] words = line.split("\\s+");
            places.add(new Place(words[0], Pattern.compile(words[1]), List.of(words).subList(2, words.length)));
        }
        return places;
    }

    private List<String> linesOf(String name) throws IOException {
        return Files.readAllLines(root.resolve("tools/mutants/" + name)).stream()
                .filter(it -> !it.isBlank() && !it.startsWith("#"))
                .toList();
    }

    private Path sourceOf(String type) {
        return root.resolve("core/src/main/java/dev/heddle/internal/kernel/" + type + ".java");
    }

    private List<Mutant> find(Place place) throws IOException {
        Path file = sourceOf(place.type());
        if (!Files.exists(file)) {
            System.err.println("no such class any more: " + place.type());
            return List.of();
        }
        String source = Files.readString(file);
        List<Mutant> found = new ArrayList<>();
        try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask) javac.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(file));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new Finder(place, source, unit, positions, found).scan(unit, null);
            }
        }
        if (kinds.contains("hand")) {
            byHand(place, source, found);
        }
        return found;
    }

    /// Adds the lines of `orderings`: class, method (for selection and id), text, replacement, separated by bars.
    private void byHand(Place place, String source, List<Mutant> found) throws IOException {
        for (String line : linesOf("orderings")) {
            String[] parts = line.split("\\s*\\|\\s*", 4);
            if (!parts[0].equals(place.type()) || !place.methods().matcher(parts[1]).matches()) {
                continue;
            }
            int at = source.indexOf(parts[2]);
            if (at < 0) {
                System.err.println("orderings: not in " + place.type() + " any more: " + parts[2]);
            } else {
                String id = place.type() + "." + parts[1] + " hand: " + parts[2] + " -> " + parts[3];
                found.add(new Mutant(place, id, source, at, at + parts[2].length(), parts[3]));
            }
        }
    }

    private final class Finder extends TreeScanner<Void, String> {
        private final Place place;
        private final String source;
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<Mutant> found;
        private final Set<String> ids = new HashSet<>();

        Finder(
                Place place,
                String source,
                CompilationUnitTree unit,
                SourcePositions positions,
                List<Mutant> found) {
            this.place = place;
            this.source = source;
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        @Override
        public Void visitMethod(MethodTree method, String outer) {
            String name = method.getName().toString();
            boolean wanted = method.getBody() != null && place.methods().matcher(name).matches();
            return super.visitMethod(method, wanted ? name : null);
        }

        @Override
        public Void visitExpressionStatement(ExpressionStatementTree statement, String method) {
            boolean call = statement.getExpression() instanceof MethodInvocationTree;
            add(method, call ? "call" : "store", statement, "{}"); // not ";": the statement may be the body of a case
            return super.visitExpressionStatement(statement, method);
        }

        @Override
        public Void visitVariable(VariableTree variable, String method) {
            if (variable.getName().isEmpty() && variable.getInitializer() instanceof MethodInvocationTree) {
                add(method, "call", variable, "{}"); // boolean _ = step();
            }
            return super.visitVariable(variable, method);
        }

        @Override
        public Void visitIf(IfTree choice, String method) {
            Tree condition = choice.getCondition() instanceof ParenthesizedTree inner
                    ? inner.getExpression()
                    : choice.getCondition();
            add(method, "if", condition, "false && (" + textOf(condition) + ")");
            return super.visitIf(choice, method);
        }

        @Override
        public Void visitBinary(BinaryTree binary, String method) {
            boolean and = binary.getKind() == Tree.Kind.CONDITIONAL_AND;
            if (and || binary.getKind() == Tree.Kind.CONDITIONAL_OR) {
                for (ExpressionTree side : List.of(binary.getLeftOperand(), binary.getRightOperand())) {
                    if (side.getKind() != binary.getKind()) { // otherwise its own operands are visited
                        add(method, "operand", side, Boolean.toString(and));
                    }
                }
            }
            return super.visitBinary(binary, method);
        }

        private String textOf(Tree tree) {
            return source.substring(from(tree), to(tree));
        }

        private int from(Tree tree) {
            return (int) positions.getStartPosition(unit, tree);
        }

        private int to(Tree tree) {
            return (int) positions.getEndPosition(unit, tree);
        }

        private void add(String method, String kind, Tree tree, String replacement) {
            if (method == null || !kinds.contains(kind)) {
                return;
            }
            String text = textOf(tree).replaceAll("//[^\n]*", "").replaceAll("\\s+", " ").replaceAll(";$", "");
            if (NO_STEP.matcher(text).matches()) {
                return;
            }
            String id = place.type() + "." + method + " " + kind + ": " + text;
            for (int i = 2; !ids.add(id); i++) {
                id = place.type() + "." + method + " " + kind + " " + i + ": " + text;
            }
            found.add(new Mutant(place, id, source, from(tree), to(tree), replacement));
        }
    }

    // ---- compiling

    private boolean compile(Mutant mutant) throws IOException {
        Path file = work.resolve("src/dev/heddle/internal/kernel/" + mutant.place().type() + ".java");
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
        for (int i = 1; i < flags.size(); i++) { // javac does not know the other flags
            if (flags.get(i - 1).equals("--add-exports")) {
                options.addAll(flags.subList(i - 1, i + 1));
            }
        }
        try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null);
                PrintStream log = new PrintStream(work.resolve("javac.out").toFile())) {
            return javac.getTask(
                            new java.io.PrintWriter(log, true),
                            files,
                            null,
                            options,
                            null,
                            files.getJavaFileObjects(file))
                    .call();
        }
    }

    /// The words of the parent's properties, which alone define the flags of the tests.
    private static List<String> flagsOf(String pom) {
        List<String> words = new ArrayList<>();
        for (String property : List.of("heddle.exports", "heddle.opens", "checker.flags")) {
            Matcher matcher = Pattern.compile("<" + property + ">(.*?)</" + property + ">", Pattern.DOTALL)
                    .matcher(pom);
            if (!matcher.find()) {
                throw new IllegalStateException("pom.xml has no property " + property);
            }
            words.addAll(List.of(matcher.group(1).strip().split("\\s+")));
        }
        return words;
    }

    // ---- the copy

    private void copyClasses() throws Exception {
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

    private void restore(String type) throws Exception {
        Path kernel = Path.of("dev/heddle/internal/kernel");
        try (Stream<Path> files = Files.list(pristine.resolve(kernel))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                if (name.equals(type + ".class") || name.startsWith(type + "$")) {
                    Files.copy(file, classes.resolve(kernel).resolve(name), StandardCopyOption.REPLACE_EXISTING);
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

    // ---- results

    private static Map<String, Row> read(Path results) throws IOException {
        Map<String, Row> rows = new LinkedHashMap<>();
        if (Files.exists(results)) {
            for (String line : Files.readAllLines(results)) {
                String[] words = line.split("\t", -1);
                rows.put(words[0], new Row(words[0], words[1], words[2], words[3], Long.parseLong(words[4])));
            }
        }
        return rows;
    }

    /// Returns 1 if a mutant survived without a known reason.
    private int report(List<Row> rows) throws IOException {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (String line : linesOf("explained")) {
            String[] parts = line.split("\\s*=>\\s*", 2);
            reasons.put(parts[0], parts[1]);
        }
        StringBuilder text = new StringBuilder("| class | mutants | killed | hung | survived |\n|---|---|---|---|---|\n");
        Map<String, int[]> counts = new TreeMap<>();
        for (Row row : rows) {
            int[] count = counts.computeIfAbsent(row.id().replaceFirst("\\..*", ""), _ -> new int[4]);
            if (!row.outcome().equals(DOES_NOT_COMPILE)) {
                count[0]++;
                count[row.outcome().equals(KILLED) ? 1 : row.outcome().equals(HUNG) ? 2 : 3]++;
            }
        }
        counts.forEach((type, count) -> text.append("| `%s` | %d | %d | %d | %d |\n"
                .formatted(type, count[0], count[1], count[2], count[3])));
        text.append("\n| survivor | why |\n|---|---|\n");
        int unexplained = 0;
        for (Row row : rows) {
            if (row.survived()) {
                String reason = reasons.getOrDefault(row.id(), "**unexplained**");
                unexplained += reasons.containsKey(row.id()) ? 0 : 1;
                text.append("| `%s` | %s |\n".formatted(row.id().replace("|", "\\|"), reason));
            } else if (reasons.containsKey(row.id()) && !row.outcome().equals(DOES_NOT_COMPILE)) {
                System.out.println("explained, but " + row.outcome() + " by " + row.by() + ": " + row.id());
            }
        }
        Path file = work.resolve("report.md");
        Files.writeString(file, text);
        System.out.println(text);
        System.out.println(unexplained + " survivors without a reason; table in " + file);
        return unexplained == 0 ? 0 : 1;
    }
}
