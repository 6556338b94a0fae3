package dev.heddle.doctor;

import org.jspecify.annotations.Nullable;

/// One parsed line of a stack trace: `pkg.Class.method(File.java:12)`.
///
/// @param className its class, with package
/// @param method    its method
/// @param line      the line in its source; -1 if unknown
record Frame(String className, String method, int line) {

    /// Parses a frame; null if the text is none.
    static @Nullable Frame parse(String text) {
        int open = text.indexOf('(');
        int dot = open < 0 ? -1 : text.lastIndexOf('.', open);
        if (dot <= 0) {
            return null;
        }
        int slash = text.lastIndexOf('/', dot); // app//pkg.Class, java.base/java.lang.Thread
        int colon = text.lastIndexOf(':');
        int line = -1;
        if (colon > open && text.endsWith(")")) {
            String number = text.substring(colon + 1, text.length() - 1);
            line = number.chars().allMatch(Character::isDigit) && !number.isEmpty() ? Integer.parseInt(number) : -1;
        }
        return new Frame(text.substring(slash + 1, dot), text.substring(dot + 1, open), line);
    }

    /// Whether it is the program's own code, neither the JDK's nor Heddle's.
    boolean isUsers() {
        return !className.startsWith("java.")
                && !className.startsWith("javax.")
                && !className.startsWith("jdk.")
                && !className.startsWith("sun.")
                && !className.startsWith("com.sun.")
                && !isHeddles();
    }

    boolean isHeddles() {
        return className.startsWith("dev.heddle.");
    }

    boolean is(String ofClass, String... methods) {
        if (!className.equals(ofClass)) {
            return false;
        }
        for (String name : methods) {
            if (method.equals(name)) {
                return true;
            }
        }
        return false;
    }
}
