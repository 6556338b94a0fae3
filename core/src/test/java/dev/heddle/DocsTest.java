package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What comments and pages refer to exists: members, functions of Go's runtime, files, notes, checks.
class DocsTest {

    private static final Path ROOT = Path.of("..");
    private static final Path SPECIFICATION = ROOT.resolve("docs/specification.md");
    private static final Path FROM_PROC = ROOT.resolve("docs/from-proc.go.md");
    private static final Path ARCHITECTURE = ROOT.resolve("docs/architecture.md");
    private static final Path MODEL = ROOT.resolve("docs/model/README.md");

    /// Pages about the past: they name what is gone.
    private static final Set<String> PAST = Set.of("renames.md", "testing-log.md", "benchmarks-log.md", "CHANGELOG.md");

    private static final JavaClasses HEDDLE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.heddle..");

    /// Names in `Go:` comments that are not names of Go's runtime: keywords, and exported names of other packages.
    private static final Set<String> OTHER_GO_NAMES = Set.of(
            "CancelCauseFunc",
            "Once.Do",
            "OnceFunc",
            "OnceValue",
            "Timer.Reset",
            "Timer.Stop",
            "context.AfterFunc",
            "context.Background",
            "context.Canceled",
            "context.Cause",
            "context.DeadlineExceeded",
            "context.WithCancel",
            "context.WithCancelCause",
            "context.WithDeadline",
            "context.WithDeadlineCause",
            "context.WithTimeout",
            "context.WithTimeoutCause",
            "context.WithValue",
            "context.WithoutCancel",
            "default",
            "golang.org/x/sync/errgroup",
            "inheritTime",
            "select",
            "sync.Once",
            "sync.WaitGroup.Go",
            "time.After",
            "time.AfterFunc",
            "time.NewTicker",
            "time.NewTimer",
            "time.Tick");

    /// A row of the specification, such as `| C1 | A send happens before ... | SendVsReceive |`.
    private static final Pattern GUARANTEE = Pattern.compile("\\| [A-Z]\\d+ \\|.*");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern MEMBER = Pattern.compile("[A-Z]\\w*(?:\\.\\w+)+");

    /// One `Go:` comment, up to the end of its sentence. "As in Go: ..." is prose.
    private static final Pattern GO_TAG =
            Pattern.compile("(?<!\\b[Ii]n )(?<!\\b[Uu]nlike )\\bGo: (.*?)(?=[.;]\\s|[.;]?$)");

    private static final Pattern IDENTIFIER = Pattern.compile("[\\w./]+");

    /// A part of a `Go:` comment that begins like this is prose: only words that look like code are names.
    private static final Pattern PROSE = Pattern.compile("(?:an?|the|one|which|whose|for|in|of|func) .*");

    private static final Pattern CODE_IN_PROSE = Pattern.compile("\\b(?:[a-z]+[A-Z]\\w*|\\w+_\\w+)\\b");
    private static final Pattern CHECKED_BY = Pattern.compile("\\b[Cc]hecked by (.*?)(?=\\.\\s|\\.?$)");
    private static final Pattern CHECK = Pattern.compile("-?\\b[A-Z]\\w*|[\\w/]+\\.pml");
    private static final Pattern IN_PARENTHESES = Pattern.compile("\\(([^()]*)\\)");
    private static final Pattern NOTE = Pattern.compile("\\b[FNJDX]\\d+[a-z]?\\b");
    private static final Pattern NOTE_HEADING = Pattern.compile("(?m)^### ([FNJDX]\\d+[a-z]?):");
    private static final Pattern TEST_MEMBER = Pattern.compile("\\b([A-Z]\\w*Test\\.[a-z]\\w*)");
    private static final Pattern MODEL_MEMBER = Pattern.compile("\\b([A-Z][a-z]\\w*\\.[a-z]\\w*)");
    private static final Pattern WALK =
            Pattern.compile("(?ms)^## (?:(?!^## ).)*?^(1\\. (?:(?!^## ).)*?)^This path passes (\\d+) source files\\.");
    private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

    /// What a walk passes without counting as a file of it: constants and plain fields. Records do not count either.
    private static final Set<String> NOT_A_STEP = Set.of("Word", "ThreadState", "Facts");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)(?: \"[^\"]*\")?\\)");

    // ---- the table of Go's functions

    @Test
    void everyMemberInTheTableOfGosFunctionsExists() {
        Findings findings = new Findings();
        for (List<String> row : rowsOfFromProc()) {
            String place = row.get(0) + ": ";
            List<String> counterparts = matches(CODE, row.get(1));
            findings.check(!counterparts.isEmpty() || row.get(1).equals("none"), place + row.get(1));
            Stream.concat(
                            counterparts.stream(),
                            matches(CODE, row.get(2)).stream()
                                    .filter(MEMBER.asMatchPredicate())) // remarks also have code
                    .forEach(name -> findings.check(isInCode(name), place + name));
        }
        findings.expectNone("no such class or member of Heddle, in docs/from-proc.go.md");
    }

    private static boolean isInCode(String name) {
        int dot = name.lastIndexOf('.');
        return HEDDLE.stream()
                .anyMatch(it -> isCalled(it, name)
                        || (dot > 0 && isCalled(it, name.substring(0, dot)) && hasMember(it, name.substring(dot + 1))));
    }

    /// `name` is a simple name, after those of the enclosing classes.
    private static boolean isCalled(JavaClass type, String name) {
        return type.getName().endsWith("." + name.replace('.', '$'));
    }

    private static boolean hasMember(JavaClass type, String member) {
        return (member.equals(type.getSimpleName()) && !type.getConstructors().isEmpty())
                || type.getMembers().stream().anyMatch(it -> it.getName().equals(member));
    }

    @Test
    void everyGoTagNamesAFunctionOfTheTable() {
        Set<String> known = knownGoNames();
        Findings findings = new Findings();
        for (Path file : files(ROOT.resolve("core/src/main"), ".java")) {
            for (String comment : comments(read(file))) {
                for (String name : goNames(comment)) {
                    findings.check(known.contains(name), ROOT.relativize(file) + ": " + name);
                }
            }
        }
        findings.expectNone("Go: name, name (file.go). Names that are not in the first column of docs/from-proc.go.md");
    }

    private static Set<String> knownGoNames() {
        Set<String> known = new TreeSet<>(OTHER_GO_NAMES);
        for (List<String> row : rowsOfFromProc()) {
            for (String name : matches(CODE, row.get(0))) {
                known.add(name);
                known.add(name.substring(name.lastIndexOf('.') + 1));
            }
        }
        return known;
    }

    /// The names in the `Go:` comments of a paragraph, and unchanged each part that is neither a name nor prose.
    private static List<String> goNames(String comment) {
        List<String> names = new ArrayList<>();
        for (String tag : matches(GO_TAG, comment)) {
            String bare = IN_PARENTHESES.matcher(tag).replaceAll(" ").split("\\)", -1)[0];
            for (String part : bare.split(",? and |, with |,", -1)) {
                String item = part.strip();
                if (PROSE.matcher(item).matches()) {
                    CODE_IN_PROSE
                            .matcher(item.replaceAll("\\[[^\\]]*\\]", ""))
                            .results()
                            .map(MatchResult::group)
                            .forEach(names::add);
                } else if (!isFileOrSyntax(item)) {
                    names.add(item.replace("`", "").replaceFirst("^runtime\\.", ""));
                }
            }
        }
        return names;
    }

    /// A source file of Go's, or a piece of its syntax such as `chan<- T`.
    private static boolean isFileOrSyntax(String item) {
        return item.endsWith(".go")
                || (item.startsWith("`")
                        && item.endsWith("`")
                        && !IDENTIFIER.matcher(item.replace("`", "")).matches());
    }

    /// The cells of each row, without the heads of the tables.
    private static List<List<String>> rowsOfFromProc() {
        return read(FROM_PROC)
                .lines()
                .filter(it -> it.startsWith("|") && !it.startsWith("| Go |") && !it.startsWith("| --- |"))
                .map(DocsTest::cells)
                .toList();
    }

    /// The resource lists them, so that the test needs no copy of Go's sources.
    @Test
    void everyFunctionOfProcGoIsInTheTable() throws IOException {
        Set<String> named = rowsOfFromProc().stream()
                .flatMap(row -> matches(CODE, row.get(0)).stream())
                .collect(Collectors.toSet());
        Findings findings = new Findings();
        try (InputStream list = DocsTest.class.getResourceAsStream("proc.go-functions")) {
            new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(it -> !it.startsWith("#"))
                    .forEach(it -> findings.check(named.contains(it), it));
        }
        findings.expectNone("functions of proc.go that docs/from-proc.go.md does not name");
    }

    // ---- architecture.md

    /// A row names classes in its first column and parts of Go in its last one: docs/from-proc.go.md must map each of
    /// these parts to one of these classes.
    @Test
    void theMapAgreesWithTheTableOfGosFunctions() {
        Findings findings = new Findings();
        for (List<String> row : rowsOfTheMap()) {
            List<String> classes = matches(CODE, row.get(0));
            classes.forEach(it -> findings.check(isInCode(it), it));
            for (String function : matches(CODE, row.get(2))) {
                boolean isHere = rowsOfFromProc().stream()
                        .filter(it -> matches(CODE, it.get(0)).contains(function))
                        .flatMap(it -> matches(CODE, it.get(1)).stream())
                        .anyMatch(it -> classes.contains(it.split("\\.", -1)[0]));
                findings.check(isHere, classes + ": " + function);
            }
        }
        findings.expectNone("the map of docs/architecture.md, and docs/from-proc.go.md has another class or none");
    }

    private static List<List<String>> rowsOfTheMap() {
        String page = read(ARCHITECTURE);
        return page.substring(page.indexOf("## The map"), page.indexOf("## A goroutine"))
                .lines()
                .filter(it -> it.startsWith("| `"))
                .map(DocsTest::cells)
                .toList();
    }

    @Test
    void theWalksPassAsManyFilesAsTheySay() {
        List<MatchResult> walks = WALK.matcher(read(ARCHITECTURE)).results().toList();
        assertThat(walks).hasSize(6);
        for (MatchResult walk : walks) {
            Set<String> files = matches(CODE, walk.group(1)).stream()
                    .map(it -> it.split("\\.", -1)[0])
                    .filter(DocsTest::isStepOfAWalk)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(files).as(walk.group()).hasSize(Integer.parseInt(walk.group(2)));
        }
        assertThat(Integer.parseInt(walks.getFirst().group(2)))
                .as("files from Go.go to the exit")
                .isLessThan(22);
    }

    private static boolean isStepOfAWalk(String name) {
        return !NOT_A_STEP.contains(name) && HEDDLE.stream().anyMatch(it -> isCalled(it, name) && !it.isRecord());
    }

    // ---- members that pages and models name

    /// Names whose class is not Heddle's are the JDK's or Go's.
    @Test
    void everyMemberThatAPageNamesExists() {
        Findings findings = new Findings();
        for (Path page : pages()) {
            if (!PAST.contains(page.getFileName().toString())) {
                for (String name : matches(CODE, withoutBlocks(read(page)))) {
                    if (MEMBER.matcher(name).matches() && isOfHeddle(name)) {
                        findings.check(isInCode(name), ROOT.relativize(page) + ": " + name);
                    }
                }
            }
        }
        findings.expectNone("members that do not exist");
    }

    private static boolean isOfHeddle(String member) {
        return isInCode(member.split("\\.", -1)[0]);
    }

    @Test
    void everyStepOfTheModelHasAMethod() {
        Findings findings = new Findings();
        String page = read(MODEL);
        page.substring(page.indexOf("| step | Java |"), page.indexOf("**Abstracted.**"))
                .lines()
                .filter(it -> it.startsWith("| ") && !it.startsWith("| step |"))
                .flatMap(it -> matches(CODE, cells(it).getLast()).stream())
                .forEach(it -> findings.check(isInCode(it), "README.md: " + it));
        for (Path model : files(MODEL.getParent(), ".pml")) {
            for (String name : matches(MODEL_MEMBER, read(model))) {
                findings.check(isInCode(name) || !isOfHeddle(name), model.getFileName() + ": " + name);
            }
        }
        findings.expectNone("steps of docs/model whose method does not exist");
    }

    // ---- the table of packages

    @Test
    void theTableOfPackagesSaysWhatTheRulesEnforce() {
        Map<String, Set<String>> rules = new TreeMap<>();
        for (ArchitectureTest.Rule rule : ArchitectureTest.Rule.values()) {
            if (rule.uses != null) {
                rules.put(rule.uses.user(), new TreeSet<>(rule.uses.used()));
            }
        }
        Map<String, Set<String>> rows = new TreeMap<>();
        for (String line : read(ROOT.resolve("CONTRIBUTING.md")).split("\n", -1)) {
            if (line.startsWith("| `dev.heddle")) {
                List<String> cells = cells(line);
                rows.put(matches(CODE, cells.getFirst()).getFirst(), packages(cells.getLast()));
            }
        }

        Set<String> all = HEDDLE.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
        assertThat(rows).containsOnlyKeys(all);
        assertThat(rows.remove("dev.heddle.internal.agent"))
                .as("may use everything")
                .isEmpty();
        assertThat(rows).isEqualTo(rules);
    }

    /// The packages in a cell such as "`runtime`, `stats`; classes around `Scheduler` more": up to the semicolon.
    private static Set<String> packages(String cell) {
        return matches(CODE, cell.split(";", -1)[0]).stream()
                .map(name -> HEDDLE.stream()
                        .map(JavaClass::getPackageName)
                        .filter(it -> it.equals("dev.heddle." + name) || it.equals("dev.heddle.internal." + name))
                        .findFirst()
                        .orElse(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ---- checks, notes, links

    @Test
    void everyCheckThatACommentNamesExists() {
        List<Path> all = files(ROOT, ".java", ".pml");
        Set<String> names = all.stream().map(DocsTest::stem).collect(Collectors.toSet());
        Findings findings = new Findings();
        for (Path file : all) {
            if (file.toString().contains("/src/main/")) {
                for (String comment : comments(read(file))) {
                    for (String check : checks(comment)) {
                        boolean exists =
                                check.contains("/") ? Files.exists(ROOT.resolve(check)) : names.contains(check);
                        findings.check(exists, ROOT.relativize(file) + ": " + check);
                    }
                }
            }
        }
        findings.expectNone("Checked by ...: no such class or model");
    }

    @Test
    void everyTestThatACommentNamesExists() {
        Map<String, Path> tests = tests();
        Findings findings = new Findings();
        for (Path file : files(ROOT, ".java")) {
            if (file.toString().contains("/src/main/")) {
                for (String comment : comments(read(file))) {
                    for (String test : matches(TEST_MEMBER, comment)) {
                        findings.check(isTest(test, tests), ROOT.relativize(file) + ": " + test);
                    }
                }
            }
        }
        findings.expectNone("no such test");
    }

    private static Map<String, Path> tests() {
        return files(ROOT, ".java").stream()
                .filter(it -> it.toString().contains("/src/test/"))
                .collect(Collectors.toMap(DocsTest::stem, it -> it, (first, _) -> first));
    }

    /// Every row of the specification names its checks in the last column, as `Class` or `Class.method`.
    @Test
    void everyGuaranteeOfTheSpecificationIsCheckedByATestThatExists() {
        Map<String, Path> tests = tests();
        Findings findings = new Findings();
        for (String row : read(SPECIFICATION).split("\n", -1)) {
            if (GUARANTEE.matcher(row).matches()) {
                List<String> cells = cells(row);
                List<String> checks = matches(CODE, cells.getLast());
                findings.check(cells.size() == 3 && !checks.isEmpty(), row);
                for (String check : checks) {
                    findings.check(isTest(check, tests), cells.getFirst() + ": " + check);
                }
            }
        }
        findings.expectNone("guarantees of docs/specification.md without a check, and checks that do not exist");
    }

    private static boolean isTest(String check, Map<String, Path> tests) {
        int dot = check.indexOf('.');
        Path file = tests.get(dot < 0 ? check : check.substring(0, dot));
        return file != null && (dot < 0 || read(file).contains(" void " + check.substring(dot + 1) + "("));
    }

    private static List<String> cells(String row) {
        List<String> cells =
                Arrays.stream(row.split("\\|", -1)).map(String::strip).toList();
        return cells.subList(1, cells.size() - 1);
    }

    /// What a paragraph claims to be checked by: classes, and models by their paths. Mutants stand in parentheses.
    private static List<String> checks(String comment) {
        return matches(CHECKED_BY, comment).stream()
                .map(it -> IN_PARENTHESES.matcher(it).replaceAll(""))
                .flatMap(it -> CHECK.matcher(it).results().map(MatchResult::group))
                .toList();
    }

    @Test
    void everyCitedNoteHasAHeading() {
        Set<String> headings = files(ROOT.resolve("docs/notes"), ".md").stream()
                .flatMap(it -> matches(NOTE_HEADING, read(it)).stream())
                .collect(Collectors.toSet());
        Findings findings = new Findings();
        for (Path file : files(ROOT, ".java", ".md", ".pml")) {
            for (String note : citedNotes(read(file))) {
                findings.check(headings.contains(note), ROOT.relativize(file) + ": " + note);
            }
        }
        findings.expectNone("notes without a heading `### N6: ...` in docs/notes");
    }

    /// The notes that `text` cites in parentheses, such as (N6), alone, in a list or in a sentence.
    private static List<String> citedNotes(String text) {
        return matches(IN_PARENTHESES, text).stream()
                .flatMap(it -> NOTE.matcher(it).results().map(MatchResult::group))
                .toList();
    }

    @Test
    void everyRelativeLinkHasATarget() {
        Findings findings = new Findings();
        for (Path page : pages()) {
            for (String link : relativeLinks(read(page))) {
                findings.check(Files.exists(page.resolveSibling(link)), ROOT.relativize(page) + ": " + link);
            }
        }
        findings.expectNone("links that lead nowhere");
    }

    private static List<Path> pages() {
        List<Path> pages = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        for (String page : List.of("README.md", "HACKING.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            pages.add(ROOT.resolve(page));
        }
        return pages;
    }

    private static String withoutBlocks(String page) {
        return page.replaceAll("(?s)```.*?```", "");
    }

    private static List<String> relativeLinks(String page) {
        String prose = withoutBlocks(page).replaceAll("`[^`\n]*`", "");
        return matches(LINK, prose).stream()
                .filter(it -> !it.startsWith("#") && !it.matches("[a-z]+:.*"))
                .map(it -> it.replaceFirst("#.*", ""))
                .toList();
    }

    // ---- the code of the README

    @Test
    void theCodeOfTheReadmeCompiles(@TempDir Path folder) throws IOException {
        List<String> tours = matches(JAVA_BLOCK, read(ROOT.resolve("README.md")));
        assertThat(tours).hasSize(3);
        for (int i = 0; i < tours.size(); i++) {
            Path source = folder.resolve("Tour" + i + ".java");
            Files.writeString(source, programOf(tours.get(i), "Tour" + i));
            StringWriter problems = new StringWriter();
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            boolean isRight = compiler.getTask(
                            problems,
                            null,
                            null,
                            List.of("-proc:none", "-d", folder.toString(), "-cp", "target/classes"),
                            null,
                            compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
                    .call();
            assertThat(isRight).as("%s\n%s", tours.get(i), problems).isTrue();
        }
    }

    /// A tour as a class, with what its readers have.
    private static String programOf(String tour, String name) {
        String imports = tour.lines().filter(it -> it.startsWith("import ")).collect(Collectors.joining("\n"));
        String body = tour.lines().filter(it -> !it.startsWith("import ")).collect(Collectors.joining("\n"));
        return """
                import dev.heddle.*;
                import java.nio.file.Path;
                import java.time.Duration;
                import java.util.List;
                %s
                abstract class %s {
                    interface Result {}
                    List<Path> files;
                    String query;
                    Runnable task;
                    abstract void index(Path file);
                    abstract Result search(String query);
                    abstract void show(Object what);
                    void tour() throws Exception {
                        %s
                    }
                }
                """.formatted(imports, name, body);
    }

    // ---- the finders themselves

    @Test
    void membersAreFoundByClassAndName() {
        assertThat(List.of("Machine", "Machine.Machine", "Machine.spinning", "Select.Case.finish", "World.Plan"))
                .allMatch(DocsTest::isInCode);
        assertThat(List.of("Mashines", "Machine.Processor", "Machine.findRunable", "Case.finish"))
                .noneMatch(DocsTest::isInCode);
    }

    @Test
    void goTagsAreFoundInSentences() {
        String comments = """
                    /// Takes half. Go: runqgrab, and
                    /// runqsteal (proc.go). Owner only, as in Go: no lock.
                    call(); // Go: the end of findRunnable, with wakep; (Go: `ready`).
                    /// Starts it. Go: `go body()`. Go: g in state _Grunnable.
                    String text = "Go: /sched/latencies:seconds";
                """;
        assertThat(comments(comments).stream().flatMap(it -> goNames(it).stream()))
                .containsExactly("runqgrab", "runqsteal", "findRunnable", "wakep", "ready", "g in state _Grunnable");
        assertThat(knownGoNames()).contains("runqgrab", "destroy").doesNotContain("runqgrap", "g in state _Grunnable");
    }

    @Test
    void checksAreFoundInEssays() {
        String essay = """
                    /*
                     * Sources.    Go 1.27.  Checked by ATest, -LoadTest,
                     *             BTest; docs/model/wake.pml (THEFTS); in jcstress/ by PutVsGet. Rejected. Locks
                     */
                """;
        assertThat(comments(essay).stream().flatMap(it -> checks(it).stream()))
                .containsExactly("ATest", "-LoadTest", "BTest", "docs/model/wake.pml", "PutVsGet");
    }

    @Test
    void notesAndLinksAreFound() {
        assertThat(citedNotes("(N6), F1 (see N7b;\n/// F39.15) (F49 to F54) (X12)"))
                .containsExactly("N6", "N7b", "F39", "F49", "F54", "X12");
        assertThat(relativeLinks("[a](b.md) ![c](d/e.svg#f) `[g](h)` [i](#j) [k](https://l.m)"))
                .containsExactly("b.md", "d/e.svg");
    }

    // ---- reading

    /// Counts what was checked, and keeps the offenders.
    private static final class Findings {
        private final Set<String> offenders = new TreeSet<>();
        private int checked;

        void check(boolean isRight, String place) {
            checked++;
            if (!isRight) {
                offenders.add(place);
            }
        }

        /// Fails also if nothing was checked: such a check would be blind.
        void expectNone(String what) {
            assertThat(checked).as("places to check").isPositive();
            assertThat(String.join("\n", offenders)).as(what).isEmpty();
        }
    }

    /// The first groups of all matches.
    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(it -> it.group(1)).toList();
    }

    /// The comments of a Java source as paragraphs of one line each.
    private static List<String> comments(String source) {
        List<String> paragraphs = new ArrayList<>();
        StringBuilder paragraph = new StringBuilder();
        boolean isInBlock = false;
        for (String line : source.split("\n", -1)) {
            String code = line.strip();
            isInBlock |= code.startsWith("/*");
            boolean isComment = isInBlock || code.startsWith("//");
            int trailing = isComment ? -1 : line.indexOf(" // ");
            String text =
                    isComment ? code.replaceFirst("^(?:/+\\**|\\*+/?)\\s*", "").replaceFirst("\\s*\\*/$", "") : "";
            isInBlock &= !code.endsWith("*/");
            if (!text.isEmpty()) {
                paragraph.append(paragraph.isEmpty() ? "" : " ").append(text);
            } else if (!paragraph.isEmpty()) {
                paragraphs.add(paragraph.toString());
                paragraph.setLength(0);
            }
            if (trailing >= 0) {
                paragraphs.add(line.substring(trailing + 4));
            }
        }
        return paragraphs;
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replaceFirst("\\.\\w+$", "");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The files below `directory` whose names have one of these endings, without hidden and generated directories.
    private static List<Path> files(Path directory, String... endings) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
                    String name = visited.getFileName().toString();
                    boolean isSkipped = !visited.equals(directory) && (name.startsWith(".") || name.equals("target"));
                    return isSkipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (Arrays.stream(endings).anyMatch(file.toString()::endsWith)) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
