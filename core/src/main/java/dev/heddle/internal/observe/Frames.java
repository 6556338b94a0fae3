package dev.heddle.internal.observe;

import dev.heddle.stats.GoroutineStats;
import java.util.List;

/// The frames of a goroutine that are worth reading. Go hides the frames of its runtime in the same way.
public final class Frames {

    /// The frames between a user's call and the park, which are not worth a line.
    private static final List<String> MACHINERY = List.of(
            "java.lang.VirtualThread.",
            "java.lang.System$",
            "java.util.concurrent.locks.LockSupport.",
            "dev.heddle.internal.kernel.",
            "dev.heddle.internal.runtime.",
            "dev.heddle.BodyGoroutine.",
            "dev.heddle.Waiter.",
            "jdk.internal.vm.");

    private Frames() {}

    /// The stack without the machinery at its inner and outer ends, unless there are no other frames.
    public static List<String> worthReading(GoroutineStats goroutine) {
        List<String> stack = goroutine.stack();
        int from = 0;
        int to = stack.size();
        while (from < to && isMachinery(stack.get(from))) {
            from++;
        }
        while (to > from && isMachinery(stack.get(to - 1))) {
            to--;
        }
        return from == to ? stack : stack.subList(from, to);
    }

    /// The innermost frame that is neither Heddle's nor the JDK's; the innermost one if there is no such frame.
    static String ofProgram(List<String> stack) {
        return stack.stream()
                .filter(it -> !it.startsWith("java.base/") && !withoutModule(it).startsWith("dev.heddle."))
                .findFirst()
                .orElse(stack.getFirst());
    }

    private static boolean isMachinery(String frame) {
        String name = withoutModule(frame);
        return MACHINERY.stream().anyMatch(name::startsWith);
    }

    /// A frame without the name of its module.
    public static String withoutModule(String frame) {
        int open = frame.indexOf('(');
        int slash = frame.lastIndexOf('/', open < 0 ? frame.length() : open);
        return frame.substring(slash + 1);
    }

    /// `package.Class.method` of a frame as a stack trace shows it.
    public static String function(String frame) {
        String name = withoutModule(frame);
        int open = name.indexOf('(');
        return open < 0 ? name : name.substring(0, open);
    }

    /// `File.java:12` of a frame as a stack trace shows it.
    public static String place(String frame) {
        int open = frame.indexOf('(');
        return open < 0 ? "?" : frame.substring(open + 1, frame.length() - 1);
    }
}
