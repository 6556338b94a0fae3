package dev.heddle.internal.agent;

import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.settings.DidYouMean;
import dev.heddle.internal.settings.Settings;
import dev.heddle.internal.weave.ClassPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The options after `-javaagent:heddle.jar=`: settings in GODEBUG's syntax, separated by commas.
///
/// Each is another spelling of a system property: `procs=4` of `-Dheddle.procs=4`. So each setting is read in one
/// place, and `jcmd PID VM.system_properties` shows how a JVM was configured.
///
/// @param procs      how many threads run at the same time; 0 if not given
/// @param schedtrace the interval between trace lines in milliseconds; 0 if not given
/// @param preempt    the classes that get preemption points; null if not given
/// @param metrics    the port for Prometheus; 0 if not given
/// @param observe    whether commands may observe the JVM, and where; null if not given
/// @param trace      the file of the execution trace; null if not given
/// @param flight     how much of it is kept in memory; null if not given
/// @param latency    how long a goroutine may be runnable until that is written to a file; null if not given
/// @param stacks     how many parks of the trace have one stack; null if not given
record AgentOptions(
        int procs,
        int schedtrace,
        @Nullable String preempt,
        int metrics,
        @Nullable String observe,
        @Nullable String trace,
        @Nullable String flight,
        @Nullable String latency,
        @Nullable String stacks) {

    private static final int MAX_MILLIS = 1_000_000;
    private static final int MAX_PORT = 65_535;

    /// Reads the options.
    ///
    /// @throws IllegalArgumentException with one sentence for the user
    static AgentOptions parse(@Nullable String text) {
        int procs = 0;
        int schedtrace = 0;
        String preempt = null;
        int metrics = 0;
        String observe = null;
        String trace = null;
        String flight = null;
        String latency = null;
        String stacks = null;
        int start = 0;
        while (text != null && start < text.length()) {
            int comma = text.indexOf(',', start);
            int end = comma < 0 ? text.length() : comma;
            String setting = text.substring(start, end);
            start = end + 1;
            int equals = setting.indexOf('=');
            String key = equals < 0 ? setting : setting.substring(0, equals);
            String value = equals < 0 ? "" : setting.substring(equals + 1);
            switch (key) {
                case "procs" -> procs = number(key, value, ProcsSettings.MAX_PROCS);
                case "schedtrace" -> schedtrace = number(key, value, MAX_MILLIS);
                case "preempt" -> {
                    ClassPattern.parse(value);
                    preempt = value;
                }
                case "metrics" -> metrics = number(key, value, MAX_PORT);
                case "observe" -> observe = observe(value);
                case "trace" -> trace = file(key, value);
                case "flight" -> flight = flight(value);
                case "flightlatency" -> latency = latency(value);
                case "stacks" -> stacks = stacks(value);
                default -> throw unknown(key);
            }
        }
        return new AgentOptions(procs, schedtrace, preempt, metrics, observe, trace, flight, latency, stacks);
    }

    private static IllegalArgumentException unknown(String key) {
        String meant = DidYouMean.hint(
                key,
                List.of(
                        "procs",
                        "schedtrace",
                        "preempt",
                        "metrics",
                        "observe",
                        "trace",
                        "flight",
                        "flightlatency",
                        "stacks"));
        return new IllegalArgumentException("the agent has no option '" + key + "'" + meant
                + "; there are procs=N, schedtrace=MILLISECONDS, preempt=CLASSES, metrics=PORT, observe=off, "
                + "trace=FILE, flight=TIME, flightlatency=TIME and stacks=every:N.");
    }

    private static int number(String key, String value, int max) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                "the agent's option " + key + "=" + value + " is refused: it must be a number from 1 to " + max + ".");
    }

    private static String file(String key, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("the agent's option " + key + "= is refused: it must name a file.");
        }
        return value;
    }

    private static String flight(String value) {
        if (!Settings.isFlight(value)) {
            throw new IllegalArgumentException(
                    "the agent's option flight=" + value + " is refused: it must be a time such as 10s.");
        }
        return value;
    }

    private static String latency(String value) {
        if (!Settings.isFlightLatency(value)) {
            throw new IllegalArgumentException(
                    "the agent's option flightlatency=" + value + " is refused: it must be a time such as 50ms.");
        }
        return value;
    }

    private static String stacks(String value) {
        if (!Settings.isStacks(value)) {
            throw new IllegalArgumentException(
                    "the agent's option stacks=" + value + " is refused: it must be every:N, such as every:10.");
        }
        return value;
    }

    private static String observe(String value) {
        if (!Settings.isObserve(value)) {
            throw new IllegalArgumentException("the agent's option observe=" + value
                    + " is refused: it must be on, off or the absolute path of a directory.");
        }
        return value;
    }

    /// Sets the system properties of the same names to the values of the options.
    void publish() {
        if (procs > 0) {
            Settings.set(Settings.PROCS, Integer.toString(procs));
        }
        if (schedtrace > 0) {
            Settings.set(Settings.SCHEDTRACE, Integer.toString(schedtrace));
        }
        if (preempt != null) {
            Settings.set(Settings.PREEMPT, preempt);
        }
        if (metrics > 0) {
            Settings.set(Settings.METRICS, Integer.toString(metrics));
        }
        if (observe != null) {
            Settings.set(Settings.OBSERVE, observe);
        }
        if (trace != null) {
            Settings.set(Settings.TRACE, trace);
        }
        if (flight != null) {
            Settings.set(Settings.FLIGHT, flight);
        }
        if (latency != null) {
            Settings.set(Settings.FLIGHT_LATENCY, latency);
        }
        if (stacks != null) {
            Settings.set(Settings.STACKS, stacks);
        }
    }
}
