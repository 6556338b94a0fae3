package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.testing.Browser;
import dev.heddle.testing.BrowserPage;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// `heddle web` as its users have it: the command in a shell, and the page in a browser.
final class WebCommandTest {

    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/\\S+/");

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// Below the 90 s after which a page that does not say goodbye counts as gone.
    private static final Duration BEFORE_SILENT_PAGES_ARE_GONE = Duration.ofSeconds(75);

    private final StringWriter out = new StringWriter();

    /// Runs the command in the background, until it has printed its address.
    private CompletableFuture<Integer> start(long pid) {
        CommandLine heddle = Heddle.commandLine();
        heddle.setOut(new PrintWriter(out, true));
        CompletableFuture<Integer> running = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> running.complete(heddle.execute("web", Long.toString(pid))));
        await().atMost(PATIENCE)
                .until(() -> running.isDone() || ADDRESS.matcher(out.toString()).find());
        return running;
    }

    private String address() {
        Matcher address = ADDRESS.matcher(out.toString());
        assertThat(address.find()).isTrue();
        return address.group();
    }

    @Test
    void twoBrowsersSeeTheProgramUntilItEnds() throws Exception {
        try (LiveJvm target = ChildJvm.of(Stuck.class).start();
                Browser browser = Browser.start()) {
            assertThat(target.readLine()).isEqualTo("ready");
            CompletableFuture<Integer> command = start(target.pid());
            BrowserPage page = browser.open(address());
            BrowserPage other = browser.open(address());

            for (BrowserPage each : List.of(page, other)) {
                plotsMove(each);
            }
            findsTheGoroutine(page);
            page.await("document.querySelector('.finding')?.textContent.includes('deadlock')");
            opensATrace(page, browser);
            page.click("#tab-processors");
            page.await("document.querySelectorAll('#processors tbody tr').length > 0");
            assertThat(page.problems()).isEmpty();
            assertThat(page.requests()).isNotEmpty().allMatch(it -> it.startsWith(address()));

            page.goTo("about:blank");
            other.goTo("about:blank");
            await().atMost(BEFORE_SILENT_PAGES_ARE_GONE)
                    .until(() -> target.ask("observers?").equals("0"));

            page.goTo(address());
            plotsMove(page);
            target.closeInput();
            page.await("document.querySelector('#banner').textContent.startsWith('Process %d has ended.')"
                    .formatted(target.pid()));
            assertThat(command.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
            assertThat(out.toString()).endsWith("process " + target.pid() + " has ended." + System.lineSeparator());
        }
    }

    private static void plotsMove(BrowserPage page) throws InterruptedException {
        page.await("""
                (() => {
                    const plot = [...document.querySelectorAll('.plot')].find(it => it.textContent.startsWith('Switches'));
                    const picture = plot?.querySelector('canvas').toDataURL();
                    return plot?.textContent.includes('/s') && (window.firstPicture ??= picture) !== picture;
                })()""");
    }

    private static void findsTheGoroutine(BrowserPage page) throws InterruptedException {
        page.await("document.querySelectorAll('.group').length > 1");
        page.press("/");
        page.type("lockBoth");
        page.await("""
                document.querySelectorAll('.group').length === 1
                    && document.querySelector('.group').textContent.startsWith('2sync.Mutex.LockStuck.lockBoth')""");
        page.click(".group > button");
        page.await("document.querySelector('.stack')?.textContent.includes('dev.heddle.cli.Stuck.lockBoth')");
        page.press("Escape");
        page.await("document.querySelectorAll('.group').length > 1");
    }

    /// The page of the trace has an origin of its own, and cannot ask the dashboard's server.
    private static void opensATrace(BrowserPage page, Browser browser) throws InterruptedException {
        page.click("#record");
        page.await("!document.querySelector('#trace').hidden");
        BrowserPage trace = browser.open(page.text("document.querySelector('#trace').href"));
        trace.await("document.title.includes('heddle')");
        assertThat(trace.text("origin")).isEqualTo("null");
        assertThat(trace.problems()).isEmpty();
        assertThat(trace.requests()).hasSize(1);
    }

    @Test
    void aPortThatIsInUse() throws IOException, InterruptedException {
        try (LiveJvm target = Targets.withHeddle();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = Integer.toString(taken.getLocalPort());

            assertThat(HeddleResult.of("web", Long.toString(target.pid()), "--port", port))
                    .isEqualTo(new HeddleResult(
                            1,
                            "",
                            "heddle: port " + port + " is in use: choose another one with --port, or leave --port out."
                                    + System.lineSeparator()));
        }
    }
}
