package dev.heddle.trace.page;

import static dev.heddle.internal.trace.EventKind.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.Browser;
import dev.heddle.testing.BrowserPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page in a real browser, from a file, without a network.
final class PageInBrowserTest {

    @TempDir
    private static Path folder;

    private static Browser browser;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        browser = Browser.start();
    }

    @AfterAll
    static void end() throws IOException, InterruptedException {
        if (browser != null) {
            browser.close();
        }
    }

    private static BrowserPage open(PageData data, String fragment) throws IOException, InterruptedException {
        Path file = Files.createTempFile(folder, "page", ".html");
        Files.writeString(file, Workshop.page(data));
        BrowserPage page = browser.open(file.toUri() + fragment);
        page.await("document.documentElement.dataset.ready");
        return page;
    }

    private static BrowserPage workshop() throws IOException, InterruptedException {
        return open(Workshop.scene().data("workshop.trace", 2), "");
    }

    private static void assertQuiet(BrowserPage page) {
        assertThat(page.problems()).isEmpty();
        assertThat(page.requests()).allMatch(it -> it.startsWith("file:")).hasSize(1);
    }

    private static String state(BrowserPage page, String member) throws InterruptedException {
        return page.text("JSON.stringify(heddle.state()." + member + ")");
    }

    @Test
    void theTimelineShowsItsLanesZoomsAndExplainsAWait() throws IOException, InterruptedException {
        BrowserPage page = workshop();
        assertThat(page.text("document.documentElement.dataset.ready")).isEqualTo("yes");
        assertThat(page.text("document.title")).isEqualTo("workshop.trace – heddle trace");
        assertThat(state(page, "rows")).startsWith("[\"p\",\"p\",\"loose\",\"monitor\",\"counter\"");
        assertThat(state(page, "total")).contains("\"steals\":1", "\"stolen\":40", "\"spills\":1", "\"handoffs\":1");

        page.press("w");
        page.await("heddle.state().view[1] - heddle.state().view[0] < 0.99 * heddle.state().end");
        page.press("0");
        page.await("heddle.state().view[1] - heddle.state().view[0] > 0.999 * heddle.state().end");

        page.click(".waits button");
        page.await("heddle.state().selected !== ''");
        assertThat(page.text("document.querySelector('.verdict').textContent"))
                .startsWith("It stood in the global queue for 11.14 ms, behind 0.");
        assertThat(page.text("document.querySelectorAll('.steps li').length")).isNotEqualTo("0");
        page.press("f");
        page.await("heddle.state().arrows > 0");
        page.await("location.hash.includes('g=')");
        assertQuiet(page);
    }

    @Test
    void searchFindsAGoroutineAndTheListShowsIt() throws IOException, InterruptedException {
        BrowserPage page = workshop();
        page.press("/");
        page.type("guest");
        page.await("document.querySelector('#found').textContent === '2'");
        page.press("Enter");
        page.await("heddle.state().selected === 'T40'");
        assertThat(page.text("document.querySelector('#panel').textContent")).contains(Workshop.HOSTILE);
        assertThat(page.text("document.title")).doesNotContain("broken");

        page.click("#tab-goroutines");
        page.await("heddle.state().goroutines === 1");
        page.press("Escape");
        page.press("Escape");
        page.await("heddle.state().goroutines === 303");
        page.await("document.querySelectorAll('#rowlist .row:not([hidden])').length < 60");
        page.click("#grouped");
        page.await("heddle.state().goroutines === 4");
        assertQuiet(page);
    }

    @Test
    void playGoesForwardAndBackAndKeepsEveryGoroutine() throws IOException, InterruptedException {
        BrowserPage page = workshop();
        page.press("p");
        page.await("heddle.state().mode === 'play' && heddle.state().step === 1");
        for (int i = 0; i < 10; i++) {
            page.press(".");
        }
        assertThat(state(page, "step")).isEqualTo("11");
        page.press(",");
        assertThat(state(page, "step")).isEqualTo("10");
        assertThat(page.text("document.querySelector('#caption .words').textContent"))
                .isEqualTo("G1 started G8 Worker; it goes into P0's runnext, and G7 moves to the tail of the ring.");

        page.click("#player .jump");
        page.await("document.querySelector('#caption .badge').textContent === 'steal'");
        assertThat(page.text("document.querySelector('#caption .words').textContent"))
                .isEqualTo("P1 found its queue empty and stole 40 of P0's 171.");
        page.evaluate("heddle.goTo(heddle.state().events - 1)");
        assertThat(state(page, "misses"))
                .as("starts that the replay did not expect")
                .isEqualTo("0");
        page.press(" ");
        assertQuiet(page);
    }

    @Test
    void aRangeHasTotalsAndALinkBringsItBack() throws IOException, InterruptedException {
        BrowserPage page = open(Workshop.scene().data("workshop.trace", 2), "#t=0-2000000&r=100000-1000000");
        assertThat(page.text("document.querySelector('#panel h1').textContent")).isEqualTo("900 µs");
        assertThat(page.text("document.querySelector('#panel').textContent"))
                .contains("Processors", "P0", "P1", "Parks by reason", "Steals1 (40 goroutines)");
        assertQuiet(page);
    }

    @Test
    void aParkShowsItsStackAndTheGoroutineItsPlaces() throws IOException, InterruptedException {
        List<String> frames = List.of(
                "java.util.concurrent.locks.LockSupport.park(LockSupport.java:221)",
                "dev.heddle.Chan.receive(Chan.java:90)",
                "app.<b>Main</b>.consume(Main.java:12)",
                "app.Main.run(Main.java:3)");
        Scene scene = new Scene()
                .add(0, CHUNK, 0, 0, 0)
                .add(0, GO_CREATE, "app.Main", "", 1, 0)
                .add(0, GO_START_FRESH, "app.Main", "", 1, 30, 0)
                .add(0, GO_STACK, 7)
                .add(0, GO_PARK, "", "", 0)
                .add(0, GO_READY, 30, 0)
                .add(0, GO_START, 30, 0)
                .add(0, GO_PARK, "", "", 6);
        PageData data = scene.data(
                new PageData.Builder().scheduler(0, "default", 1).frames(it -> it == 7 ? frames : List.of()),
                "s.trace");
        BrowserPage page = open(data, "");
        page.evaluate("heddle.select(0)");
        page.await("document.querySelector('#panel .stack')");
        assertThat(page.text("[...document.querySelectorAll('#panel .stack li')].map(it => it.textContent).join('|')"))
                .isEqualTo(String.join("|", frames));
        assertThat(page.text("document.querySelector('#panel .stack .own').textContent"))
                .isEqualTo("app.<b>Main</b>.consume(Main.java:12)");
        assertThat(page.text("document.querySelector('#panel').textContent"))
                .contains("Parked by placethose with a stackapp.<b>Main</b>.consume(Main.java:12)1 time1.0 µs");
        page.evaluate("heddle.select(1)");
        page.await("!document.querySelector('#panel .stack')");
        assertQuiet(page);
    }

    /// A stop of the world of each of two schedulers, and pauses that overlap both and each other.
    @Test
    void stopsAndPausesThatOverlapAreAllShown() throws IOException, InterruptedException {
        Scene scene = new Scene() // the first event is at 1,000 ns; each takes 1,000
                .add(0, CHUNK, 0, 0, 0) // 1
                .add(0, STW_BEGIN) // 2
                .pause(6_000)
                .add(1, 0, STW_BEGIN, "", "") // 9
                .add(-1, GC, "young", "", 4_000, 3_000) // 10: from 6 to 9
                .add(-1, GC, "old", "", 3_000, 2_000) // 11: from 8 to 10
                .pause(8_000)
                .add(0, STW_END) // 20
                .pause(9_000)
                .add(1, 0, STW_END, "", ""); // 30
        PageData data =
                scene.data(new PageData.Builder().scheduler(0, "one", 1).scheduler(1, "two", 1), "pauses.trace");
        BrowserPage page = open(data, "");
        assertThat(state(page, "still")).isEqualTo("28000");
        assertThat(state(page, "stills"))
                .as("from, to, and how long the stop or pause took in all")
                .isEqualTo("[[2000,6000,18000],[6000,8000,3000],[8000,9000,2000],[9000,30000,21000]]");
        assertQuiet(page);
    }

    @Test
    void aHistogramFilters() throws IOException, InterruptedException {
        BrowserPage page = workshop();
        page.click(".histogram button:not(:disabled)");
        page.await("document.querySelector('.histogram .on') !== null");
        page.click("#tab-goroutines");
        page.await("heddle.state().goroutines < 303 && heddle.state().goroutines > 0");
        assertQuiet(page);
    }

    @Test
    void anEmptyRecordingIsOneSentence() throws IOException, InterruptedException {
        BrowserPage page = open(new Scene().data("empty", 2), "");
        assertThat(page.text("document.documentElement.dataset.ready")).isEqualTo("fault");
        assertThat(page.text("document.querySelector('#fault b').textContent"))
                .isEqualTo("The recording has no events: nothing was scheduled while it was on.");
        assertQuiet(page);
    }

    @Test
    void aThousandMachinesAndTwoSchedulersScroll() throws IOException, InterruptedException {
        Scene scene = new Scene();
        for (int i = 0; i < 1000; i++) {
            scene.add(i % 2, i, dev.heddle.internal.trace.EventKind.CHUNK, "", "", i < 40 ? i / 2 : -1, 5000 + i, 0);
        }
        scene.pause(1_000_000).add(0, 0, dev.heddle.internal.trace.EventKind.GO_END, "", "");
        PageData.Builder builder =
                new PageData.Builder().scheduler(0, "default", 20).scheduler(1, "batch", 20);
        BrowserPage page = open(scene.data(builder, "many"), "");
        assertThat(state(page, "processors")).isEqualTo("40");
        assertThat(state(page, "lanes.length")).isEqualTo("1000");
        page.wheel(400, 500, 0, 4000);
        page.press("p");
        page.await("heddle.state().mode === 'play'");
        assertQuiet(page);
    }
}
