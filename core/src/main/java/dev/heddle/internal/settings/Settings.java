package dev.heddle.internal.settings;

import org.jspecify.annotations.Nullable;

/// The settings of this JVM. Only this class reads system properties and environment, and sets properties.
///
/// [SettingsTable] says what each setting means, and `docs/settings.md` is generated from it. This class is loaded
/// before the program starts: it has no static state, and interprets only the values that have one reader. A reader
/// that needs a value often keeps it in a constant of its own.
public final class Settings {

    public static final String PROCS = "heddle.procs";
    public static final String PIN = "heddle.pin";
    public static final String CONTAINER_MAX_PROCS = "heddle.containermaxprocs";
    public static final String UPDATE_MAX_PROCS = "heddle.updatemaxprocs";
    public static final String MAX_THREADS = "heddle.maxThreads";
    public static final String PREEMPT = "heddle.preempt";
    public static final String NETPOLL = "heddle.netpoll";
    public static final String MOUNT_NOTIFICATIONS = "heddle.mountNotifications";

    public static final String SCHEDTRACE = "heddle.schedtrace";
    public static final String SCHEDDETAIL = "heddle.scheddetail";
    public static final String STEALS = "heddle.steals";
    public static final String CREATEDBY = "heddle.createdby";
    public static final String SIGQUIT = "heddle.sigquit";
    public static final String METRICS = "heddle.metrics";
    public static final String LONG_START_MILLIS = "heddle.longStart.millis";
    public static final String OBSERVE = "heddle.observe";
    public static final String RECORD = "heddle.record";
    public static final String TRACE = "heddle.trace";
    public static final String STACKS = "heddle.stacks";
    public static final String FLIGHT = "heddle.flight";
    public static final String FLIGHT_LATENCY = "heddle.flightlatency";
    public static final String RECORD_MILLIS = "heddle.record.millis";

    public static final String RANDOMIZE = "heddle.randomize";
    public static final String EVIDENCE = "heddle.evidence";
    public static final String PARKER = "heddle.parker";

    public static final String JDK_PARALLELISM = "jdk.virtualThreadScheduler.parallelism";
    public static final String JDK_MAX_POOL_SIZE = "jdk.virtualThreadScheduler.maxPoolSize";
    public static final String JDK_MIN_RUNNABLE = "jdk.virtualThreadScheduler.minRunnable";
    public static final String JDK_READ_POLLERS = "jdk.readPollers";
    public static final String JDK_POLLER_MODE = "jdk.pollerMode";

    public static final int DEFAULT_MAX_THREADS = 10_000; // as in Go: SetMaxThreads
    static final long DEFAULT_LONG_START_MILLIS = 30_000;
    static final long DEFAULT_RECORD_MILLIS = 3_000;

    static final String DEBUG_VARIABLE = "HEDDLE_DEBUG";
    static final String PROCS_VARIABLE = "GOMAXPROCS";
    static final String OBSERVE_VARIABLE = "HEDDLE_OBSERVE";

    private static final String ON = "on";
    private static final String OFF = "off";

    private static final int PREFIX = "heddle.".length();

    private Settings() {}

    /// The text of the property `name`; null if it is not set.
    public static @Nullable String text(String name) {
        return System.getProperty(name);
    }

    /// A property that describes the system, such as `os.arch`, and is not a setting; empty if it is not set.
    public static String fact(String name) {
        return System.getProperty(name, "");
    }

    /// Sets the property `name`, so that its readers see an option of the agent.
    public static void set(String name, String value) {
        System.setProperty(name, value);
    }

    /// The text of `GOMAXPROCS`; null if it is not set.
    public static @Nullable String procsVariable() {
        return System.getenv(PROCS_VARIABLE);
    }

    /// The keys of `HEDDLE_DEBUG`: the names of its properties without their prefix.
    public static String[] debugKeys() {
        String[] keys = debugProperties();
        for (int i = 0; i < keys.length; i++) {
            keys[i] = key(keys[i]);
        }
        return keys;
    }

    private static String[] debugProperties() {
        return new String[] {SCHEDTRACE, SCHEDDETAIL, STEALS, CREATEDBY, SIGQUIT, METRICS};
    }

    /// The name of a property without its prefix: so the agent's options and `HEDDLE_DEBUG` call it.
    static String key(String property) {
        return property.substring(PREFIX);
    }

    /// The settings of `HEDDLE_DEBUG` (GODEBUG's syntax), followed by those of the properties, which take
    /// precedence; null if there are none.
    public static @Nullable String debug() {
        String settings = System.getenv(DEBUG_VARIABLE);
        for (String property : debugProperties()) {
            String value = System.getProperty(property);
            if (value != null) {
                String setting = key(property) + "=" + value;
                settings = settings == null ? setting : settings + "," + setting;
            }
        }
        return settings == null || settings.isBlank() ? null : settings;
    }

    /// The maximum number of carrier threads. A bad value is ignored, with one line on standard error.
    public static int maxThreads() {
        String value = System.getProperty(MAX_THREADS);
        if (value == null || value.isBlank()) {
            return DEFAULT_MAX_THREADS;
        }
        try {
            int number = Integer.parseInt(value.strip());
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        System.err.println("heddle: ignoring " + MAX_THREADS + "=" + value + ": it must be a positive number");
        return DEFAULT_MAX_THREADS;
    }

    /// Whether the JDK's own threads poll sockets, rather than idle carriers.
    public static boolean isNetpollByJdk() {
        return "jdk".equals(System.getProperty(NETPOLL));
    }

    /// Whether the JVM reports mounts even if no native agent is present.
    public static boolean keepsMountNotifications() {
        return Boolean.getBoolean(MOUNT_NOTIFICATIONS);
    }

    /// Whether commands may observe this JVM, and where it opens its socket: `on`, `off` or a directory.
    ///
    /// @throws IllegalArgumentException with one sentence, if it is none of them
    public static String observe() {
        String property = System.getProperty(OBSERVE);
        String variable = System.getenv(OBSERVE_VARIABLE);
        String value = property != null ? property : variable != null ? variable : ON;
        if (!isObserve(value)) {
            throw new IllegalArgumentException((property != null ? "-D" + OBSERVE : OBSERVE_VARIABLE) + "=" + value
                    + " is refused: it must be on, off or the absolute path of a directory.");
        }
        return value;
    }

    /// Whether this is a value of the setting `observe`.
    public static boolean isObserve(String value) {
        return value.equals(ON) || value.equals(OFF) || value.startsWith("/");
    }

    /// Whether a value of the setting `observe` switches observing off.
    public static boolean isOff(String observe) {
        return observe.equals(OFF);
    }

    /// The directory that a value of the setting `observe` names; null if it names none.
    public static @Nullable String directoryOf(String observe) {
        return observe.startsWith("/") ? observe : null;
    }

    /// The user's directory for files of running programs; null if the session has none.
    public static @Nullable String runtimeDirectory() {
        return System.getenv("XDG_RUNTIME_DIR");
    }

    /// How long a program may take to start before it is dumped, if debugging is on.
    public static long longStartMillis() {
        return Long.getLong(LONG_START_MILLIS, DEFAULT_LONG_START_MILLIS);
    }

    /// The file that the flight recorder writes; null if it must not run.
    public static @Nullable String recordFile() {
        return System.getProperty(RECORD);
    }

    /// The file of the execution trace; null if none is recorded from the start.
    public static @Nullable String traceFile() {
        String file = System.getProperty(TRACE);
        return file == null || file.isBlank() ? null : file;
    }

    /// How many nanoseconds of the execution trace are kept in memory; 0 if none.
    ///
    /// @throws IllegalStateException with one sentence, if it is no such time
    public static long flightNanos() {
        String value = System.getProperty(FLIGHT);
        if (value == null || value.isBlank()) {
            return 0;
        }
        if (!isFlight(value)) {
            throw new IllegalStateException(
                    "-D" + FLIGHT + "=" + value + " is refused: it must be a time such as 10s.");
        }
        return Long.parseLong(value.substring(0, value.length() - 1)) * 1_000_000_000L;
    }

    /// Whether this is a value of the setting `flight`.
    public static boolean isFlight(String value) {
        return value.matches("[1-9][0-9]{0,4}s");
    }

    /// After how many nanoseconds in which a goroutine is runnable and does not run the flight recorder writes a file;
    /// 0: never.
    ///
    /// @throws IllegalStateException with one sentence, if it is no such time, or there is no flight recorder
    public static long flightLatencyNanos() {
        String value = System.getProperty(FLIGHT_LATENCY);
        if (value == null || value.isBlank()) {
            return 0;
        }
        if (!isFlightLatency(value)) {
            throw new IllegalStateException(
                    "-D" + FLIGHT_LATENCY + "=" + value + " is refused: it must be a time such as 50ms.");
        }
        if (flightNanos() == 0) {
            throw new IllegalStateException("-D" + FLIGHT_LATENCY + "=" + value
                    + " is refused: it needs the flight recorder, -D" + FLIGHT + "=10s.");
        }
        boolean isMillis = value.endsWith("ms");
        long number = Long.parseLong(value.substring(0, value.length() - (isMillis ? 2 : 1)));
        return number * (isMillis ? 1_000_000L : 1_000_000_000L);
    }

    /// Whether this is a value of the setting `flightlatency`.
    public static boolean isFlightLatency(String value) {
        return value.matches("[1-9][0-9]{0,6}m?s");
    }

    /// How many parks have one stack in the execution trace, on average; 0: none has any.
    ///
    /// @throws IllegalStateException with one sentence, if the setting cannot be read
    public static int stacksEvery() {
        String value = System.getProperty(STACKS);
        if (value == null || value.isBlank()) {
            return 0;
        }
        if (!isStacks(value)) {
            throw new IllegalStateException(
                    "-D" + STACKS + "=" + value + " is refused: it must be every:N, such as every:10.");
        }
        return stacksEvery(value);
    }

    /// Whether this is a value of the setting `stacks`.
    public static boolean isStacks(String value) {
        return value.matches("every:[1-9][0-9]{0,8}");
    }

    /// The number in a value of the setting `stacks`.
    public static int stacksEvery(String value) {
        return Integer.parseInt(value.substring(value.indexOf(':') + 1));
    }

    /// How long each window of the flight recorder is.
    public static long recordMillis() {
        return Long.getLong(RECORD_MILLIS, DEFAULT_RECORD_MILLIS);
    }

    /// Whether every step of every protocol may be delayed, and every order that is not promised is shuffled.
    public static boolean randomizes() {
        return Boolean.getBoolean(RANDOMIZE);
    }

    /// The best evidence on threads that the monitor may use: `os`, `jvm` or `time`.
    public static String evidence() {
        return System.getProperty(EVIDENCE, "os");
    }
}
