package dev.heddle.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The driver of the browser: what it reports, and that nothing of it is left.
final class BrowserTest {

    @TempDir
    private Path folder;

    private String page(String html) throws IOException {
        return Files.writeString(folder.resolve("page.html"), html).toUri().toString();
    }

    @Test
    void aPageIsReadAndUsedAndLeavesNothing() throws IOException, InterruptedException {
        String url = page("""
                <!DOCTYPE html>
                <meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'; img-src 'none'">
                <style>
                    body { margin: 0; background: rgb(1, 2, 3); }
                    @media (prefers-color-scheme: dark) { body { background: rgb(9, 8, 7); } }
                </style>
                <input id="name">
                <script>
                    const keys = [], mouse = [];
                    addEventListener('keydown', e => keys.push(e.key));
                    addEventListener('mousemove', e => mouse.push(`${e.clientX},${e.clientY},${e.buttons}`));
                    addEventListener('wheel', e => mouse.push('wheel ' + e.deltaY));
                    document.querySelector('#name').addEventListener('focus', () => keys.push('focus'));
                </script>""");
        Path profile;
        long pid;
        try (Browser browser = Browser.start()) {
            profile = browser.profile();
            pid = browser.pid();
            BrowserPage page = browser.blankPage();
            page.resize(300, 200);
            page.goTo(url);

            assertThat(page.evaluate("({whole: 1, real: 1.5, list: ['\\u2713', true, null]})"))
                    .hasToString("{whole=1, real=1.5, list=[\u2713, true, null]}");
            assertThat(page.evaluate("Promise.resolve(innerWidth + 'x' + innerHeight)"))
                    .isEqualTo("300x200");
            assertThatThrownBy(() -> page.evaluate("noSuchThing()")).hasMessageContaining("noSuchThing is not defined");

            page.press("Escape");
            page.mouseMove(7, 8);
            page.mouseDown(7, 9);
            page.mouseMove(17, 90);
            page.mouseUp(17, 90);
            page.wheel(20, 90, 0, 120);
            page.click("#name");
            page.type("a/?");
            page.await("keys.length == 5 && mouse.some(it => it.startsWith('wheel'))");
            assertThat(page.text("keys")).isEqualTo("[Escape, focus, a, /, ?]");
            assertThat(page.text("mouse")).startsWith("[7,8,0, ").contains("17,90,1, ", "wheel 120");
            assertThat(page.text("document.querySelector('#name').value")).isEqualTo("a/?");

            page.setDark(true);
            Path picture = folder.resolve("page.png");
            page.screenshot(picture);
            assertThat(ImageIO.read(picture.toFile()).getRGB(250, 150)).isEqualTo(0xff090807);
            assertThat(page.requests()).containsExactly(url);
            assertThat(page.problems()).isEmpty();

            page.evaluate(
                    "setTimeout(() => { console.error('one'); undefined.two; }), new Image().src = 'data:,three'");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(page.problems())
                            .anyMatch(it -> it.contains("one"))
                            .anyMatch(it -> it.contains("reading 'two'"))
                            .anyMatch(it -> it.contains("Content Security Policy")));

            BrowserPage other = browser.open(url);
            assertThat(other.text("innerWidth")).isNotEqualTo("300");
            assertThat(other.problems()).isEmpty();
        }
        assertThat(profile).doesNotExist();
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }
}
