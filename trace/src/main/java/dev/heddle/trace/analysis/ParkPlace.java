package dev.heddle.trace.analysis;

import java.util.List;
import java.util.regex.Pattern;

/// A place in the program where goroutines park, by the stacks that a recording has.
public final class ParkPlace {

    /// Frames of the JDK and of Heddle, where each goroutine parks, whatever it waits for. Classes of Heddle's API are
    /// in the package `dev.heddle` itself.
    private static final Pattern INSIDE =
            Pattern.compile("(java|javax|jdk|sun|dev\\.heddle\\.internal)\\..*|dev\\.heddle\\.[A-Z].*");

    private final String frame;
    private final Distribution waits = new Distribution();

    ParkPlace(String frame) {
        this.frame = frame;
    }

    /// The innermost frame that is the program's own; the innermost of all if there is none.
    static String frameOf(List<String> stack) {
        for (String frame : stack) {
            if (!INSIDE.matcher(frame).matches()) {
                return frame;
            }
        }
        return stack.getFirst();
    }

    void add(long nanos) {
        waits.add(nanos);
    }

    /// Where: `app.Main.run(Main.java:7)`.
    public String frame() {
        return frame;
    }

    /// How long goroutines waited there, those whose stack was taken.
    public Distribution waits() {
        return waits;
    }
}
