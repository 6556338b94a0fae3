package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class BugsCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void twentyBugsAreListedWithTheirSources() {
        assertThat(bugs()).isZero();

        assertThat(out.toString().lines().toList()).hasSize(20);
        assertThat(out.toString())
                .contains(" 8  a select with a default, in a loop")
                .contains("Bug08SelectSpin.java");
    }

    @Test
    void everySourceIsABugAndEveryBugHasASource() throws IOException {
        List<String> named = Arrays.stream(Bug.values()).map(Bug::path).sorted().toList();
        try (Stream<Path> files = Files.list(Path.of("..", "examples", "bugs"))) {
            assertThat(files.map(it -> "examples/bugs/" + it.getFileName()).sorted())
                    .containsExactlyElementsOf(named);
        }
    }

    @Test
    void aBugThatIsNotThereIsNamed() {
        assertThat(bugs("21")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("heddle: there are bugs 1 to 20, and no bug 21")
                .hasLineCount(1);
    }

    @Test
    void brokenAndFixedTogetherAreTooMuch() {
        assertThat(bugs("1", "--broken", "--fixed")).isEqualTo(2);
        assertThat(err.toString()).startsWith("heddle: ").hasLineCount(1);
    }

    private int bugs(String... arguments) {
        CommandLine heddle = Heddle.commandLine();
        heddle.setOut(new PrintWriter(out, true));
        heddle.setErr(new PrintWriter(err, true));
        String[] line = new String[arguments.length + 1];
        line[0] = "bugs";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        return heddle.execute(line);
    }
}
