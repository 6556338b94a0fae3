import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Changes one line of the kernel at a time, runs the tests that should fail, and lists undetected changes.
///
/// Started by `tools/mutants/run`, which describes the options. [Finder] finds the mutants in the methods that `places`
/// names; `orderings` adds hand-written replacements. [TestBed] runs the tests on a copy of the compiled classes in
/// which the classes of one file are replaced. [Results] keeps the outcomes and prints the table.
public final class Mutants {

    private final Path root;
    private final Path work;
    private final String libraries;

    // Options.
    private final Set<String> kinds = new LinkedHashSet<>(List.of("call", "hand"));
    private Pattern only = Pattern.compile("");
    private String places = "places";
    private boolean list;
    private boolean again;
    private boolean fresh;
    private boolean randomize;

    /// Longer than any wait in a test.
    private long quietSeconds = 150;

    private Mutants(Path root, Path work, String libraries) {
        this.root = root;
        this.work = work;
        this.libraries = libraries;
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
                case "--places" -> places = rest.next();
                case "--timeout" -> quietSeconds = Long.parseLong(rest.next());
                case "--kinds" -> {
                    kinds.clear();
                    kinds.addAll(List.of(rest.next().split(",")));
                }
                default -> throw new IllegalArgumentException("unknown option: " + word);
            }
        }
    }

    private int run() throws Exception {
        List<Mutant> mutants = find();
        if (list) {
            mutants.forEach(it -> System.out.println(it.id()));
            System.out.println(mutants.size() + " mutants");
            return 0;
        }
        Results results = new Results(work.resolve("results.tsv"));
        if (fresh) {
            results.delete();
        }
        Map<String, Results.Row> done = results.read();
        TestBed bed = new TestBed(root, work, libraries, randomize, quietSeconds);
        bed.copyClasses();
        List<Results.Row> rows = new ArrayList<>();
        Set<List<String>> passed = new HashSet<>();
        int number = 0;
        for (Mutant mutant : mutants) {
            number++;
            Results.Row row = done.get(mutant.id());
            if (row == null || !row.hash().equals(mutant.hash()) || (again && row.survived())) {
                List<String> named = mutant.place().tests();
                if (passed.add(named)) {
                    bed.baseline(named);
                }
                row = bed.test(mutant);
                results.add(row);
                System.out.printf(
                        "%4d/%d %-9s %4d s  %s   %s%n",
                        number, mutants.size(), row.outcome().text, row.seconds(), row.id(), row.by());
            }
            rows.add(row);
        }
        return Results.report(rows, linesOf("explained"), work.resolve("report.md"));
    }

    private List<Mutant> find() throws IOException {
        Path kernel = root.resolve("core/src/main/java/dev/heddle/internal/kernel");
        Finder finder = new Finder(kernel, kinds, linesOf("orderings"));
        List<Mutant> mutants = new ArrayList<>();
        for (String line : linesOf(places)) {
            mutants.addAll(finder.find(Place.parse(line)));
        }
        mutants.removeIf(it -> !only.matcher(it.id()).find());
        return mutants;
    }

    /// The lines of a file beside this one, without comments.
    private List<String> linesOf(String name) throws IOException {
        return Files.readAllLines(root.resolve("tools/mutants/" + name)).stream()
                .filter(it -> !it.isBlank() && !it.startsWith("#"))
                .toList();
    }
}
