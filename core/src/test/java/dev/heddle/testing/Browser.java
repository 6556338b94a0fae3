package dev.heddle.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// Chromium without a window, for tests of pages: see [BrowserPage].
///
/// It has a profile of its own, which is deleted with it. It reaches no other host than this one. The process ends when
/// this object is closed, or with the JVM.
public final class Browser implements AutoCloseable {

    private static final List<String> COMMANDS = List.of("chromium", "chromium-browser", "google-chrome");

    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");

    private final Path profile = Files.createTempDirectory("heddle-chromium");
    private final Process process;
    private final Thread atExit = new Thread(this::endWithJvm, "heddle-chromium-end");
    private final DevTools connection;

    private Browser(String command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                command,
                "--headless=new",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "--window-size=1280,800",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-background-timer-throttling",
                "--disable-backgrounding-occluded-windows",
                "--disable-renderer-backgrounding",
                "--disable-breakpad",
                "--disable-crash-reporter",
                "--disable-component-update",
                "--disable-extensions",
                "--disable-sync",
                "--force-color-profile=srgb",
                "--hide-scrollbars",
                "--lang=en-US",
                "--no-default-browser-check",
                "--no-first-run",
                "--password-store=basic"));
        if (Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
            words.add("--no-sandbox"); // Chromium refuses its sandbox to root
        }
        words.add("about:blank");
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("HOME", profile.toString());
        builder.environment().remove("DBUS_SESSION_BUS_ADDRESS");
        this.process = builder.start();
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            this.connection = new DevTools(URI.create(address()));
        } catch (AssertionError | RuntimeException | InterruptedException e) {
            end();
            Runtime.getRuntime().removeShutdownHook(atExit);
            throw e;
        }
    }

    /// Starts it. Where there is no Chromium, the test that calls is skipped, with one sentence that says why.
    public static Browser start() throws IOException, InterruptedException {
        Optional<Path> command = COMMANDS.stream().flatMap(Browser::onPath).findFirst();
        if (command.isEmpty()) {
            return Assumptions.abort("no chromium is on the PATH: install Debian's package chromium to run this test");
        }
        return new Browser(command.get().toString());
    }

    private static Stream<Path> onPath(String command) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .map(it -> Path.of(it, command))
                .filter(Files::isExecutable);
    }

    /// The address of its debugging port, which it prints. What it prints after that is thrown away.
    private String address() throws InterruptedException {
        CompletableFuture<String> address = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("heddle-chromium-errors").start(() -> {
            StringBuilder printed = new StringBuilder();
            try (BufferedReader errors = process.errorReader(StandardCharsets.UTF_8)) {
                errors.lines().forEach(line -> {
                    Matcher matcher = LISTENING.matcher(line);
                    if (matcher.find()) {
                        address.complete(matcher.group(1));
                    } else if (!address.isDone()) {
                        printed.append(line).append('\n');
                    }
                });
            } catch (IOException | UncheckedIOException _) {
                // it has been killed
            }
            address.completeExceptionally(new IllegalStateException("chromium did not start:\n" + printed));
        });
        return DevTools.await(address, "start of chromium");
    }

    /// Opens a page in a tab of its own, and waits until it has been loaded.
    public BrowserPage open(String url) throws InterruptedException {
        BrowserPage page = blankPage();
        page.goTo(url);
        return page;
    }

    /// An empty page, whose size or colours are to be set before it shows anything.
    public BrowserPage blankPage() throws InterruptedException {
        Object target = connection
                .ask(DevTools.BROWSER, "Target.createTarget", Map.of("url", "about:blank"))
                .get("targetId");
        Map<String, ?> attach = Map.of("targetId", String.valueOf(target), "flatten", true);
        Object session = connection
                .ask(DevTools.BROWSER, "Target.attachToTarget", attach)
                .get("sessionId");
        return new BrowserPage(connection, String.valueOf(session));
    }

    long pid() {
        return process.pid();
    }

    Path profile() {
        return profile;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        connection.close();
        end();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    /// Kills it, and the processes that it started, which it cannot end any more then. They write into the profile
    /// until they have ended.
    private void end() throws IOException, InterruptedException {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
        for (ProcessHandle each : all) {
            while (runs(each)) {
                Thread.sleep(10); // nothing reports the end of a process that is not our child
            }
        }
        delete(profile);
    }

    /// Whether a process can still do anything. One that has ended stays visible until its parent, which may be the
    /// container's first process, takes notice.
    private static boolean runs(ProcessHandle process) throws IOException {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return process.isAlive() && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private void endWithJvm() {
        try {
            end();
        } catch (IOException | InterruptedException e) {
            System.err.println(profile + " is left behind: " + e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
