import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The results of this run and of earlier ones, in a file with a line for each mutant.
final class Results {

    /// @param hash identifies the source of the class
    /// @param by   the test that failed or hung
    record Row(String id, String hash, Outcome outcome, String by, long seconds) {

        static Row parse(String line) {
            String[] words = line.split("\t", -1);
            return new Row(words[0], words[1], Outcome.of(words[2]), words[3], Long.parseLong(words[4]));
        }

        String line() {
            return String.join("\t", id, hash, outcome.text, by, Long.toString(seconds));
        }

        boolean survived() {
            return outcome == Outcome.SURVIVED;
        }
    }

    private final Path file;

    Results(Path file) {
        this.file = file;
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    void add(Row row) throws IOException {
        Files.writeString(file, row.line() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /// The last result of each mutant, by its id.
    Map<String, Row> read() throws IOException {
        Map<String, Row> rows = new LinkedHashMap<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                Row row = Row.parse(line);
                rows.put(row.id(), row);
            }
        }
        return rows;
    }

    /// Prints a table and writes it to `file`. Returns 1 if a mutant survived without a known reason.
    ///
    /// @param explained the lines of the file `explained`
    static int report(List<Row> rows, List<String> explained, Path file) throws IOException {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (String line : explained) {
            String[] parts = line.split("\\s*=>\\s*", 2);
            reasons.put(parts[0], parts[1]);
        }
        StringBuilder text = new StringBuilder("| class | mutants | killed | hung | survived |\n|---|---|---|---|---|\n");
        Map<String, int[]> counts = new TreeMap<>();
        for (Row row : rows) {
            int[] count = counts.computeIfAbsent(row.id().replaceFirst("\\..*", ""), _ -> new int[4]);
            if (row.outcome() != Outcome.DOES_NOT_COMPILE) {
                count[0]++;
                count[row.outcome() == Outcome.KILLED ? 1 : row.outcome() == Outcome.HUNG ? 2 : 3]++;
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
            } else if (reasons.containsKey(row.id()) && row.outcome() != Outcome.DOES_NOT_COMPILE) {
                System.out.println("explained, but " + row.outcome().text + " by " + row.by() + ": " + row.id());
            }
        }
        Files.writeString(file, text);
        System.out.println(text);
        System.out.println(unexplained + " survivors without a reason; table in " + file);
        return unexplained == 0 ? 0 : 1;
    }
}
