package dev.heddle.testkit.internal;

import dev.heddle.testkit.internal.weave.Points;

/// Where a thread is, in the words of its program: the frame that its author wants to see.
final class Frames {

    private static final int MOST_OF_MESSAGE = 200;

    private Frames() {}

    /// The innermost frame of a class that has points, or else of a class that is neither the JDK's nor the
    /// testkit's.
    static String userFrame(StackTraceElement[] stack, Points points) {
        StackTraceElement other = null;
        for (StackTraceElement frame : stack) {
            if (points.covers(frame.getClassName())) {
                return text(frame);
            }
            if (other == null && isProgram(frame.getClassName())) {
                other = frame;
            }
        }
        return other == null ? stack.length == 0 ? "an unknown place" : text(stack[0]) : text(other);
    }

    private static boolean isProgram(String className) {
        return !className.startsWith("java.")
                && !className.startsWith("jdk.")
                && !className.startsWith("sun.")
                && !className.startsWith("dev.heddle.");
    }

    static String text(StackTraceElement frame) {
        String name = frame.getClassName();
        String simple = name.substring(name.lastIndexOf('.') + 1);
        String file = frame.getFileName() == null ? "unknown" : frame.getFileName() + ":" + frame.getLineNumber();
        return simple + "." + plainMethod(frame.getMethodName()) + "(" + file + ")";
    }

    /// The method that a lambda was written in.
    private static String plainMethod(String method) {
        if (method.startsWith("lambda$")) {
            int end = method.indexOf('$', "lambda$".length());
            return end < 0 ? method : method.substring("lambda$".length(), end);
        }
        return method;
    }

    static String nameOf(Thread thread) {
        return thread.getName().isEmpty() ? "without a name" : "\"" + thread.getName() + "\"";
    }

    /// The text of a throwable on one line.
    static String sentence(Throwable thrown) {
        String message =
                thrown.getMessage() == null ? "" : thrown.getMessage().strip().replaceAll("\\s+", " ");
        String cut = message.length() > MOST_OF_MESSAGE ? message.substring(0, MOST_OF_MESSAGE) + " ..." : message;
        return thrown.getClass().getSimpleName() + (cut.isEmpty() ? "" : ": " + cut);
    }
}
