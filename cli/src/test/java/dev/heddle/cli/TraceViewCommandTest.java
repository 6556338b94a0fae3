package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Go;
import dev.heddle.Trace;
import dev.heddle.WaitGroup;
import dev.heddle.testing.Browser;
import dev.heddle.testing.BrowserPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `heddle trace view`: the page of a real recording, in a real browser.
final class TraceViewCommandTest {

    @TempDir
    private Path folder;

    /// Goroutines that spawn, park and wake each other.
    private Path recording() throws IOException, InterruptedException {
        Path file = folder.resolve("real.trace");
        Trace.start(file);
        WaitGroup group = new WaitGroup();
        for (int i = 0; i < 50; i++) {
            group.go(() -> {
                WaitGroup inner = new WaitGroup();
                inner.go(Go::gosched);
                inner.await();
            });
        }
        group.await();
        Trace.stop();
        return file;
    }

    @Test
    void aRealRecordingIsShownExplainedAndPlayed() throws IOException, InterruptedException {
        Path page = folder.resolve("real.html");
        HeddleResult written =
                HeddleResult.of("trace", "view", recording().toString(), "-o", page.toString(), "--no-open");
        assertThat(written.err()).isEmpty();
        assertThat(written.out().strip()).isEqualTo(page.toString());

        try (Browser browser = Browser.start()) {
            BrowserPage shown = browser.open(page.toUri().toString());
            shown.await("document.documentElement.dataset.ready === 'yes'");
            assertThat(shown.text("heddle.state().rows[0]")).isEqualTo("p");
            assertThat(shown.evaluate("heddle.state().total.starts >= 100")).isEqualTo(true);
            shown.press("/");
            shown.type("WaitGroup"); // the class that starts the goroutines
            shown.press("Enter");
            shown.await("heddle.state().selected !== ''");
            assertThat(shown.text("document.querySelector('#panel').textContent"))
                    .contains("Why was it runnable but not running?");
            shown.press("Escape");
            shown.evaluate("heddle.showMode('play'), heddle.goTo(0)");
            for (int i = 0; i < 10; i++) {
                shown.press(".");
            }
            assertThat(shown.text("heddle.state().step")).isEqualTo("11");
            assertThat(shown.problems()).isEmpty();
            assertThat(shown.requests()).hasSize(1);
        }
    }

    @Test
    void whatIsNoRecordingIsToldInOneSentence() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "not a trace");
        HeddleResult refused = HeddleResult.of("trace", "view", file.toString());
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.err().strip())
                .startsWith("heddle: cannot read " + file)
                .doesNotContain("\n");
        assertThat(HeddleResult.of("trace", "view", folder.resolve("none").toString())
                        .err()
                        .strip())
                .isEqualTo("heddle: there is no file '" + folder.resolve("none") + "'.");
        assertThat(Files.exists(folder.resolve("notes.txt.html"))).isFalse();
    }
}
