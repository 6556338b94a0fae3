package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `heddle top` on a terminal: it draws on the alternate screen, reads keys, and leaves the terminal as it found it.
/// The terminal is that of `script`, which prints the settings of the terminal before and after.
final class TopScreenTest {

    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final String BEGIN = "\u001b[?1049h";
    private static final String END = "\u001b[?1049l";
    private static final String CTRL_C = "\u0003";

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireScript() {
        assumeTrue(Files.isExecutable(SCRIPT), "there is no script command here: apt-get install bsdutils");
    }

    @Test
    void keysSortAndEndIt() throws IOException, InterruptedException {
        try (LiveJvm target = Targets.withHeddle();
                Screen screen = new Screen(target.pid(), folder)) {
            screen.await("sorted by wait:");
            screen.press("n");
            screen.await("sorted by name:");
            screen.press("q");

            assertThat(screen.end()).contains(BEGIN, END, "exit code 0");
            screen.assertRestored();
        }
    }

    @Test
    void controlCEndsItAndRestoresTheTerminal() throws IOException, InterruptedException {
        assumeTrue(!Targets.isInterruptIgnored(), "SIGINT is ignored here");
        try (LiveJvm target = Targets.withHeddle();
                Screen screen = new Screen(target.pid(), folder)) {
            screen.await("sorted by wait:");
            screen.press(CTRL_C);

            assertThat(screen.end()).contains(BEGIN, END, "exit code 130");
            screen.assertRestored();
        }
    }

    @Test
    void theEndOfTheProgramIsOneSentenceOnTheNormalScreen() throws IOException, InterruptedException {
        try (LiveJvm target = Targets.withHeddle();
                Screen screen = new Screen(target.pid(), folder)) {
            screen.await("sorted by wait:");
            target.kill();

            String text = screen.end();
            assertThat(text.substring(text.lastIndexOf(END)))
                    .contains("heddle: process " + target.pid() + " has ended.", "exit code 1");
            screen.assertRestored();
        }
    }

    @Test
    void aTerminalThatDoesNotKnowItsSizeIsSmall() {
        assertThat(Terminal.sizeIn("40 120\n")).isEqualTo(new Terminal.Size(40, 120));
        assertThat(Terminal.sizeIn("0 0\n")).isEqualTo(new Terminal.Size(24, 80));
        assertThat(Terminal.sizeIn("")).isEqualTo(new Terminal.Size(24, 80));
    }

    private static final class Screen implements AutoCloseable {
        private final Path output;
        private final Process process;
        private final OutputStream keys;

        Screen(long pid, Path folder) throws IOException {
            String top = ChildJvm.tool("java") + " -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '"
                    + System.getProperty("java.class.path") + "' " + Heddle.class.getName() + " top " + pid + " -d 0.2";
            Path lines = folder.resolve("lines");
            Files.write(
                    lines,
                    List.of(
                            "trap : INT", // Ctrl-C is for top alone
                            "echo before $(stty -g)",
                            top,
                            "echo exit code $?",
                            "echo after $(stty -g)"));
            output = folder.resolve("output");
            process = new ProcessBuilder(SCRIPT.toString(), "-qfc", "bash " + lines, "/dev/null")
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            keys = process.getOutputStream();
        }

        private String text() throws IOException {
            return Files.readString(output, StandardCharsets.ISO_8859_1);
        }

        void await(String part) {
            Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> text().contains(part));
        }

        void press(String key) throws IOException {
            keys.write(key.getBytes(StandardCharsets.US_ASCII));
            keys.flush();
        }

        String end() throws IOException, InterruptedException {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return text();
        }

        void assertRestored() throws IOException {
            String before = settings("before ");
            assertThat(before).isNotEmpty().isEqualTo(settings("after "));
        }

        private String settings(String word) throws IOException {
            return text().lines()
                    .filter(it -> it.startsWith(word))
                    .map(it -> it.substring(word.length()))
                    .findFirst()
                    .orElse("");
        }

        @Override
        public void close() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }
}
