package dev.heddle.testkit.internal;

import dev.heddle.testkit.internal.weave.Points;

/// Where a thread is, in the words of its program: the frame that its author wants to see.
final class Frames {

    private static final int MOST_OF_MESSAGE = 200;

    private Frames() {}

    /// The innermost frame of a class that has points; or else of one that is neither the JDK's nor Heddle's;
    /// or else of one that is not concerned with waiting as such.
    static String userFrame(StackTraceElement[] stack, Points points) {
        StackTraceElement ofProgram = null;
        StackTraceElement ofJdk = null;
        for (StackTraceElement frame : stack) {
            if (points.covers(frame.getClassName())) {
                return text(frame);
            }
            if (ofProgram == null && isProgram(frame.getClassName())) {
                ofProgram = frame;
            }
            if (ofJdk == null && !isWaiting(frame.getClassName())) {
                ofJdk = frame;
            }
        }
        StackTraceElement best = ofProgram == null ? ofJdk : ofProgram;
        return best == null ? "an unknown place" : text(best);
    }

    private static boolean isWaiting(String className) {
        return className.equals("java.lang.VirtualThread")
                || className.equals("java.lang.Thread")
                || className.startsWith("java.lang.System")
                || className.startsWith("java.util.concurrent.locks.")
                || className.startsWith("jdk.internal.")
                || className.startsWith("dev.heddle.testkit.internal.");
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
