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

    // Here, and in the parent's pom for javac and for the JVM of the tests: AccessListTest compares.
    private static final String[] EXPORTED = {"jdk.internal.misc", "jdk.internal.vm", "jdk.internal.access"};
    private static final String[] OPENED = {"java.lang", "java.util.concurrent", "sun.nio.ch"};

    private static final Module OWN = Access.class.getModule();

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
        for (String name : EXPORTED) {
            if (!base.isExported(name, OWN)) {
                return missing(name);
            }
        }
        for (String name : OPENED) {
            if (!base.isOpen(name, OWN)) {
                return missing(name);
            }
        }
        return null;
    }

    /// The packages of `java.base` that have to be exported to Heddle.
    public static List<String> exported() {
        return List.of(EXPORTED);
    }

    /// The packages of `java.base` that have to be open to Heddle, which makes them exported ones too.
    public static List<String> opened() {
        return List.of(OPENED);
    }

    private static String missing(String name) {
        return "Heddle may not use java.base/" + name + " of JDK " + Runtime.version()
                + ": start the program with -javaagent:heddle.jar, "
                + (OWN.isNamed() ? "with './heddle run -m MODULE/CLASS', or with " : "with './heddle run', or with ")
                + flags() + ".";
    }

    /// The command-line flags that open what Heddle needs, for users who start `java` without the agent: to the
    /// module, if Heddle is one in this JVM, otherwise to the class path.
    public static String flags() {
        String target = OWN.isNamed() ? OWN.getName() : "ALL-UNNAMED";
        StringBuilder flags = new StringBuilder();
        for (String name : EXPORTED) {
            flags.append("--add-exports=java.base/")
                    .append(name)
                    .append('=')
                    .append(target)
                    .append(' ');
        }
        for (String name : OPENED) {
            flags.append("--add-opens=java.base/")
                    .append(name)
                    .append('=')
                    .append(target)
                    .append(' ');
        }
        return flags.toString().strip();
    }

    /// Prints the flags, for scripts: `java -cp heddle.jar dev.heddle.internal.jdk.Access`.
    public static void main(String[] arguments) {
        System.out.println(flags());
    }
}
