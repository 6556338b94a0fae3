package dev.heddle.cli.web;

import dev.heddle.client.JvmConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The live dashboard of one JVM: a page on a small web server of this process, which asks the JVM while the page is
/// open.
///
/// It costs the JVM nothing while no page is open, and ends with the JVM.
public final class Dashboard implements AutoCloseable {

    /// How long pages have to notice that the JVM has ended. They ask once a second.
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    private static final int LONGEST_NAME = 1_000;

    private static final Pattern TRACE = Pattern.compile("trace/([1-9]\\d{0,5})\\.html");

    private final long pid;
    private final String command;
    private final Viewers viewers = new Viewers(System::nanoTime);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Assets assets = new Assets();
    private final Figures figures = new Figures(viewers);
    private final Findings findings = new Findings(figures::millisNow);
    private final Dumps dumps;
    private final Recordings recordings;
    private final Inquiry figuresInquiry;
    private final Inquiry findingsInquiry;
    private final WebServer server;

    /// @param pid  the JVM, or a process that started it
    /// @param port 0 for any free one
    /// @throws IOException with one sentence, if the JVM cannot be observed or the port cannot be used
    public Dashboard(long pid, int port) throws IOException {
        try (JvmConnection jvm = JvmConnection.attach(pid)) {
            this.pid = jvm.pid();
            this.command = jvm.command();
        }
        this.dumps = new Dumps(this.pid);
        this.recordings = new Recordings(this.pid);
        this.server = new WebServer(port, this::answer);
        this.figuresInquiry = new Inquiry("figures", this.pid, viewers, figures);
        this.findingsInquiry = new Inquiry("doctor", this.pid, viewers, findings);
        ProcessHandle.of(this.pid).ifPresentOrElse(it -> it.onExit().thenRun(ended::countDown), ended::countDown);
    }

    /// The process that is observed. It need not be the one that was named.
    public long pid() {
        return pid;
    }

    /// The address of the page, with the secret token.
    public String url() {
        return server.url();
    }

    /// Waits until the JVM has ended and the pages know it.
    public void awaitEnd() throws InterruptedException {
        ended.await();
        viewers.awaitNone(FAREWELL);
    }

    private Reply answer(String method, String path, Query query) throws IOException {
        return method.equals("POST") ? act(path, query) : show(path, query);
    }

    private Reply act(String path, Query query) {
        return switch (path) {
            case "leave" -> {
                viewers.left(name(query, "viewer"));
                yield Reply.sentence(Reply.OK, "Goodbye.");
            }
            case "record" -> {
                long seconds = query.number("seconds", 1, Recordings.LONGEST_SECONDS);
                yield recordings.start(Duration.ofSeconds(seconds))
                        ? Reply.sentence(Reply.ACCEPTED, "The trace is being recorded.")
                        : Reply.sentence(Reply.CONFLICT, "Another trace is being recorded.");
            }
            default -> noSuchPage();
        };
    }

    private Reply show(String path, Query query) throws IOException {
        Matcher trace = TRACE.matcher(path);
        if (trace.matches()) {
            return Reply.closedPage(recordings.page(Integer.parseInt(trace.group(1))));
        }
        return switch (path) {
            case "figures" -> figures(query);
            case "goroutines" -> Reply.json(dumps.document(name(query, "scheduler"), query.text("search")));
            default -> {
                Reply file = assets.at(path);
                yield file == null ? noSuchPage() : file;
            }
        };
    }

    private static Reply noSuchPage() {
        return Reply.sentence(Reply.NOT_FOUND, "There is no such page.");
    }

    private static String name(Query query, String argument) {
        String name = query.text(argument);
        if (name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("The " + argument + " has a name that is too long.");
        }
        return name;
    }

    private Reply figures(Query query) {
        String scheduler = name(query, "scheduler");
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("pid", pid);
        document.put("command", command);
        document.put("millis", figures.millisNow());
        document.put("schedulers", figures.schedulers());
        Series series = figures.of(scheduler);
        if (series != null) {
            document.putAll(series.document(query.number("after", 0, Long.MAX_VALUE)));
        }
        document.put("findings", findings.document());
        document.put("recording", recordings.document());
        if (ended.getCount() == 0) {
            document.put("ended", true);
            viewers.left(name(query, "viewer")); // it knows now, and has no more questions
        } else {
            viewers.came(name(query, "viewer"), scheduler);
            document.put("problem", problem());
        }
        return Reply.json(document);
    }

    private @Nullable String problem() {
        String problem = figuresInquiry.problem();
        return problem != null ? problem : findingsInquiry.problem();
    }

    @Override
    public void close() throws IOException {
        viewers.end();
        figuresInquiry.close();
        findingsInquiry.close();
        server.close();
        recordings.close();
    }
}
