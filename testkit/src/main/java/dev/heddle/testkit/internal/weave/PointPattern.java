package dev.heddle.testkit.internal.weave;

import java.util.List;

/// Which classes get points: `com.acme..` is a package with all below it, `com.acme.*` a package, `com.acme.Cache` a
/// class with its nested ones. `*` is the unnamed package.
///
/// @param text the pattern
public record PointPattern(String text) {

    /// Points in these would stop the testkit, the JVM or the critical parts of Heddle itself.
    private static final List<String> FORBIDDEN = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "dev.heddle.testkit.internal.",
            "dev.heddle.testkit.agent.",
            "dev.heddle.internal.jdk.",
            "dev.heddle.internal.kernel.",
            "dev.heddle.internal.agent.",
            "org.junit.");

    private static final String UNNAMED = "*";

    public PointPattern {
        String name = text.endsWith("..")
                ? text.substring(0, text.length() - 2)
                : text.endsWith(".*") ? text.substring(0, text.length() - 2) : text;
        boolean isName = name.chars().allMatch(it -> it == '.' || Character.isJavaIdentifierPart(it));
        if (name.isEmpty() || !(isName || name.equals(UNNAMED))) {
            throw new IllegalArgumentException("points=" + text
                    + " is refused: it must name classes, as in com.acme.. or com.acme.* or com.acme.Cache.");
        }
        if (isForbidden(name + ".")) {
            throw new IllegalArgumentException(
                    "points=" + text + " is refused: classes of the JDK, of JUnit and of the testkit get no points.");
        }
    }

    /// All classes of one package.
    static PointPattern ofPackage(String name) {
        return new PointPattern(name.isEmpty() ? UNNAMED : name + ".*");
    }

    static boolean isForbidden(String className) {
        for (String prefix : FORBIDDEN) {
            if (className.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a class of this name, written with dots, is meant.
    boolean matches(String className) {
        if (isForbidden(className)) {
            return false;
        }
        if (text.equals(UNNAMED)) {
            return className.indexOf('.') < 0;
        }
        if (text.endsWith("..")) {
            return className.startsWith(text.substring(0, text.length() - 1));
        }
        if (text.endsWith(".*")) {
            String prefix = text.substring(0, text.length() - 1);
            return className.startsWith(prefix) && className.indexOf('.', prefix.length()) < 0;
        }
        return className.equals(text) || className.startsWith(text + "$");
    }
}
