package dev.heddle.internal.jdk;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks, before any JDK-internal class is linked, whether this JVM lets Heddle use the hooks it needs.
///
/// This class itself refers to no internal class, so that a missing flag results in a one-sentence message instead of
/// an `IllegalAccessError` from a class initialiser.
public final class Access {

    /// The feature version whose internals `dev.heddle.internal.jdk` was written for and tested on.
    static final int SUPPORTED_FEATURE = 25;

    private static final String[] EXPORTED = {"jdk.internal.misc", "jdk.internal.vm", "jdk.internal.access"};
    private static final String[] OPENED = {"java.lang", "java.util.concurrent"};

    /// The packages that the agent opens. `sun.nio.ch`, which holds the socket pollers, is more than the library
    /// needs.
    private static final String[] OPENED_BY_AGENT = {"java.lang", "java.util.concurrent", "sun.nio.ch"};

    private Access() {}

    /// Throws an exception with a one-sentence message if the JDK is not the supported one or a package is not
    /// open to Heddle.
    public static void require() {
        String problem = problem();
        if (problem != null) {
            throw new UnsupportedOperationException(problem);
        }
    }

    /// The obstacle, as one sentence that says what to do; null if there is none.
    public static @Nullable String problem() {
        int feature = Runtime.version().feature();
        if (feature != SUPPORTED_FEATURE) {
            return "Heddle needs JDK " + SUPPORTED_FEATURE + " but runs on JDK " + Runtime.version()
                    + ": start the program with a JDK " + SUPPORTED_FEATURE + ".";
        }
        Module base = Object.class.getModule();
        Module own = Access.class.getModule();
        for (String name : EXPORTED) {
            if (!base.isExported(name, own)) {
                return missing(name);
            }
        }
        for (String name : OPENED) {
            if (!base.isOpen(name, own)) {
                return missing(name);
            }
        }
        return null;
    }

    /// The packages of `java.base` that the agent has to export to Heddle.
    public static List<String> exported() {
        return List.of(EXPORTED);
    }

    /// The packages of `java.base` that the agent has to open to Heddle.
    public static List<String> opened() {
        return List.of(OPENED_BY_AGENT);
    }

    private static String missing(String name) {
        return "Heddle may not use java.base/" + name + " of JDK " + Runtime.version()
                + ": start the program with -javaagent:heddle.jar, with './heddle run', or with " + flags() + ".";
    }

    /// The command-line flags that open what Heddle needs, for users who start `java` without the agent.
    public static String flags() {
        StringBuilder flags = new StringBuilder();
        for (String name : EXPORTED) {
            flags.append("--add-exports=java.base/").append(name).append("=ALL-UNNAMED ");
        }
        for (String name : OPENED) {
            flags.append("--add-opens=java.base/").append(name).append("=ALL-UNNAMED ");
        }
        return flags.toString().strip();
    }
}
