package dev.heddle.internal.settings;

import java.util.List;
import java.util.stream.Stream;

/// All settings, and the page `docs/settings.md` that lists them. A test compares the page with this table.
///
/// To write the page again: `java -cp core/target/classes dev.heddle.internal.settings.SettingsTable >
/// docs/settings.md`
public final class SettingsTable {

    /// One setting. A text is empty if the setting cannot be given in that way.
    ///
    /// @param property     the system property
    /// @param environment  the environment variable, with the form of its value
    /// @param agentOption  the option of the agent, with the form of its value
    /// @param defaultValue what applies if the setting is not given
    /// @param meaning      what the setting does, and what a bad value does
    public record Setting(
            String property, String environment, String agentOption, String defaultValue, String meaning) {

        /// The property without its prefix.
        public String name() {
            return Settings.key(property);
        }
    }

    private static final List<Setting> SCHEDULER = List.of(
            new Setting(
                    Settings.PROCS,
                    Settings.PROCS_VARIABLE + "=N",
                    "procs=N",
                    "by CPU affinity and cgroup quota",
                    "the number of processors, from then on fixed; the property wins over the variable. A bad property"
                            + " is refused, a bad variable is ignored with one line"),
            new Setting(
                    Settings.PIN,
                    "",
                    "",
                    "off",
                    "a list of CPUs such as `0-3`, or `auto` for all that the process may use: pins each processor to"
                            + " one of them. A bad value is refused"),
            new Setting(
                    Settings.CONTAINER_MAX_PROCS,
                    "",
                    "",
                    "1",
                    "0: the number of processors ignores cgroup quotas. A bad value is refused"),
            new Setting(
                    Settings.UPDATE_MAX_PROCS,
                    "",
                    "",
                    "1",
                    "0: the number of processors is decided once, at the start. A bad value is refused"),
            new Setting(
                    Settings.MAX_THREADS,
                    "",
                    "",
                    Integer.toString(Settings.DEFAULT_MAX_THREADS),
                    "the maximum number of carrier threads of a scheduler. A bad value is ignored with one line"),
            new Setting(
                    Settings.PREEMPT,
                    "",
                    "preempt=CLASSES",
                    "none",
                    "the classes whose loops get preemption points, such as `com.acme.*`; only with the agent. A bad"
                            + " value is refused"),
            new Setting(
                    Settings.NETPOLL,
                    "",
                    "",
                    "epoll, where available",
                    "`jdk`: the JDK's pollers serve sockets, not idle carriers in epoll"),
            new Setting(
                    Settings.MOUNT_NOTIFICATIONS,
                    "",
                    "",
                    "false",
                    "`true`: the JVM reports every mount to JVMTI, even if no native agent is named on the command"
                            + " line; matters only for an installed scheduler"));

    private static final List<Setting> DEBUG = List.of(
            debug(Settings.SCHEDTRACE, "schedtrace=MILLISECONDS", "0", "prints Go's trace line at this interval"),
            debug(
                    Settings.SCHEDDETAIL,
                    "",
                    "0",
                    "1: adds lines for each processor, machine and goroutine to the trace line"),
            debug(Settings.STEALS, "", "0", "1: adds the line of steals to the trace line"),
            debug(Settings.CREATEDBY, "", "0", "1: records where goroutines are started"),
            debug(Settings.SIGQUIT, "", "0", "1: prints the goroutines after the JVM's own thread dump"),
            debug(
                    Settings.METRICS,
                    "metrics=PORT",
                    "0",
                    "serves Prometheus text at `http://localhost:PORT/metrics`, for this machine only. A port in use is"
                            + " refused; if only the variable names it, it is ignored with one line"),
            new Setting(
                    Settings.LONG_START_MILLIS,
                    "",
                    "",
                    Long.toString(Settings.DEFAULT_LONG_START_MILLIS),
                    "after how long a start without a running goroutine is reported, if a setting above is given"),
            new Setting(
                    Settings.OBSERVE,
                    Settings.OBSERVE_VARIABLE + "=off",
                    "observe=off",
                    "on",
                    "`off`: no command can observe this JVM; the absolute path of a directory: the socket for commands"
                            + " is opened in there. The property wins over the variable. A bad value is refused"),
            new Setting(
                    Settings.RECORD,
                    "",
                    "",
                    "off",
                    "the file into which the flight recorder writes what `heddle doctor` reads"),
            new Setting(
                    Settings.TRACE,
                    "",
                    "trace=FILE",
                    "off",
                    "the file into which every scheduling decision is recorded, from the first scheduler to the end of"
                            + " the JVM. A file that cannot be written is refused"),
            new Setting(
                    Settings.STACKS,
                    "",
                    "stacks=every:N",
                    "off",
                    "with an execution trace or its flight recorder: one of N parks is recorded with the goroutine's"
                            + " stack, on average. A stack takes some microseconds: `every:10`. A bad value is refused"),
            new Setting(
                    Settings.FLIGHT,
                    "",
                    "flight=TIME",
                    "off",
                    "keeps the last seconds of the execution trace in memory, at most 64 MB, for `heddle trace PID --flight`,"
                            + " a deadlock, a bug in Heddle and a finding of the doctor: `10s`. A bad value is refused"),
            new Setting(
                    Settings.FLIGHT_LATENCY,
                    "",
                    "flightlatency=TIME",
                    "off",
                    "with a flight recorder: when any goroutine was runnable for longer without running, what is in memory"
                            + " is written to `heddle-PID-latency.trace` in the folder for temporary files, at most once"
                            + " a minute: `50ms`. A bad value is refused"),
            new Setting(
                    Settings.RECORD_MILLIS,
                    "",
                    "",
                    Long.toString(Settings.DEFAULT_RECORD_MILLIS),
                    "the length of one window of the flight recorder, in milliseconds"));

    private static final List<Setting> EXPERIMENTS = List.of(
            new Setting(
                    Settings.RANDOMIZE,
                    "",
                    "",
                    "false",
                    "`true`: delays every step of every protocol at random, and shuffles every order that Heddle does"
                            + " not promise"),
            new Setting(
                    Settings.EVIDENCE,
                    "",
                    "",
                    "os",
                    "`jvm`: the monitor does not read /proc; `time`: nor does it ask the JVM, so that only time counts"),
            new Setting(
                    Settings.PARKER,
                    "",
                    "",
                    "LockSupport",
                    "the class that parks and unparks threads for channels and wait groups; for model checkers"));

    private static final List<Setting> JDK = List.of(
            jdk(
                    Settings.JDK_PARALLELISM,
                    "the number of processors of the installed scheduler, from then on fixed; wins over `GOMAXPROCS`,"
                            + " but not over `heddle.procs`"),
            jdk(Settings.JDK_MAX_POOL_SIZE, "the maximum number of carrier threads, and of processors"),
            jdk(Settings.JDK_MIN_RUNNABLE, "no effect"),
            jdk(
                    Settings.JDK_READ_POLLERS,
                    "the number of the JDK's pollers; the agent sets it to 1 where Heddle polls sockets, unless it is"
                            + " given"),
            jdk(Settings.JDK_POLLER_MODE, "`1`: the JDK's own poller threads serve sockets"));

    private SettingsTable() {}

    private static Setting debug(String property, String agentOption, String defaultValue, String meaning) {
        String environment = Settings.DEBUG_VARIABLE + "=" + Settings.key(property) + "=N";
        return new Setting(property, environment, agentOption, defaultValue, meaning);
    }

    private static Setting jdk(String property, String meaning) {
        return new Setting(property, "", "", "", meaning);
    }

    /// Every setting, in the order of the page.
    public static List<Setting> all() {
        return Stream.of(SCHEDULER, DEBUG, EXPERIMENTS, JDK)
                .flatMap(List::stream)
                .toList();
    }

    /// The text of `docs/settings.md`.
    public static String page() {
        StringBuilder page = new StringBuilder("""
                # Settings

                This page is generated from the class `SettingsTable`. `Settings` is the only class of Heddle's core
                that reads system properties and environment.

                A system property is given as `-Dheddle.procs=4`, an option of the agent as
                `-javaagent:heddle.jar=procs=4,metrics=9464`. The agent turns its options into properties, so
                `jcmd PID VM.system_properties` shows how a JVM was configured. "Refused" means that the scheduler is
                not created, and a program with the agent does not start. Calls such as
                `Scheduler.builder().procs(4)` win over settings. An unknown property `-Dheddle.*` is ignored with one
                line.

                ## Schedulers

                """);
        append(page, SCHEDULER);
        page.append("""

                How the number of processors is found: [processors](procs.md). Preemption points:
                [compatibility](compatibility.md#preemption-points).

                ## Observing

                `HEDDLE_DEBUG` holds any number of settings, separated by commas: `HEDDLE_DEBUG=schedtrace=1000,steals=1`.
                The properties win over it. `heddle debug PID` shows and changes the settings of a running JVM. An unknown
                key or a bad value is ignored with one line. [Observing a scheduler](observe.md) shows what they print.

                """);
        append(page, DEBUG);
        page.append("""

                ## Tests and experiments

                """);
        append(page, EXPERIMENTS);
        page.append("""

                ## Settings of the JDK

                The agent follows the JDK's settings for its own scheduler and pollers. A bad value of one of the first
                three is refused, as in the JDK.

                | property | meaning for Heddle |
                | --- | --- |
                """);
        for (Setting each : JDK) {
            page.append("| ")
                    .append(code(each.property()))
                    .append(" | ")
                    .append(each.meaning())
                    .append(" |\n");
        }
        return page.toString();
    }

    private static void append(StringBuilder page, List<Setting> settings) {
        page.append("| name | environment | property | agent option | default | meaning |\n");
        page.append("| --- | --- | --- | --- | --- | --- |\n");
        for (Setting each : settings) {
            page.append("| ")
                    .append(String.join(
                            " | ",
                            each.name(),
                            code(each.environment()),
                            code(each.property()),
                            code(each.agentOption()),
                            each.defaultValue(),
                            each.meaning()))
                    .append(" |\n");
        }
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }

    /// Prints the page.
    public static void main(String[] args) {
        System.out.print(page());
    }
}
