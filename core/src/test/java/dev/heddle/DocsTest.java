package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What comments and pages refer to exists: members, functions of Go's runtime, files, notes, checks.
class DocsTest {

    private static final Path ROOT = Path.of("..");
    private static final Path SPECIFICATION = ROOT.resolve("docs/specification.md");
    private static final Path FROM_PROC = ROOT.resolve("docs/from-proc.go.md");

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
    private static final Pattern NOTE = Pattern.compile("\\b[FNJD]\\d+[a-z]?\\b");
    private static final Pattern NOTE_HEADING = Pattern.compile("(?m)^### ([FNJD]\\d+[a-z]?):");
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

    /// Every row of the specification names its checks in the last column, as `Class` or `Class.method`.
    @Test
    void everyGuaranteeOfTheSpecificationIsCheckedByATestThatExists() {
        Map<String, Path> tests = files(ROOT, ".java").stream()
                .filter(it -> it.toString().contains("/src/test/"))
                .collect(Collectors.toMap(DocsTest::stem, it -> it, (first, _) -> first));
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
        List<Path> pages = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        for (String page : List.of("README.md", "HACKING.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            pages.add(ROOT.resolve(page));
        }
        for (Path page : pages) {
            for (String link : relativeLinks(read(page))) {
                findings.check(Files.exists(page.resolveSibling(link)), ROOT.relativize(page) + ": " + link);
            }
        }
        findings.expectNone("links that lead nowhere");
    }

    private static List<String> relativeLinks(String page) {
        String prose = page.replaceAll("(?s)```.*?```", "").replaceAll("`[^`\n]*`", "");
        return matches(LINK, prose).stream()
                .filter(it -> !it.startsWith("#") && !it.matches("[a-z]+:.*"))
                .map(it -> it.replaceFirst("#.*", ""))
                .toList();
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
        assertThat(citedNotes("(N6), F1 (see N7b;\n/// F39.15) (F49 to F54)"))
                .containsExactly("N6", "N7b", "F39", "F49", "F54");
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
