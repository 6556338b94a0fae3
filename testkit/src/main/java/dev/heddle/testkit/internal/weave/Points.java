package dev.heddle.testkit.internal.weave;

import dev.heddle.testkit.Options;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The classes whose points count in one check. Shared by its schedules, and used on one thread.
public final class Points {

    private static final byte UNKNOWN = 0;
    private static final byte YES = 1;
    private static final byte NO = 2;

    private final List<PointPattern> patterns;
    private byte[] known = new byte[64]; // by number of the class

    private Points(List<PointPattern> patterns) {
        this.patterns = patterns;
    }

    /// The classes of the test's own package, and the classes that the options name.
    ///
    /// @throws IllegalArgumentException with one sentence for the user
    public static Points of(Options options, String ownPackage) {
        List<PointPattern> patterns = new ArrayList<>();
        if (!options.points().contains(Options.NONE)) {
            if (!PointPattern.isForbidden(ownPackage + ".")) {
                patterns.add(PointPattern.ofPackage(ownPackage));
            }
            for (String text : options.points()) {
                patterns.add(new PointPattern(text));
            }
        } else if (options.points().size() > 1) {
            throw new IllegalArgumentException(
                    "points=" + options.points() + " is refused: \"none\" and classes exclude each other.");
        }
        return new Points(List.copyOf(patterns));
    }

    List<PointPattern> patterns() {
        return patterns;
    }

    /// Whether a class of this name, written with dots, has points.
    public boolean covers(String className) {
        for (PointPattern pattern : patterns) {
            if (pattern.matches(className)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a point in the class with this number counts.
    public boolean covers(int classNumber) {
        if (classNumber >= known.length) {
            known = Arrays.copyOf(known, Math.max(classNumber + 1, 2 * known.length));
        }
        if (known[classNumber] == UNKNOWN) {
            known[classNumber] = covers(WovenClasses.nameOf(classNumber)) ? YES : NO;
        }
        return known[classNumber] == YES;
    }
}
