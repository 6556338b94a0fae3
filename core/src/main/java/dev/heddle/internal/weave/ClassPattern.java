package dev.heddle.internal.weave;

import java.util.List;

/// Which classes get preemption points: names separated by colons, in which `*` stands for any characters, dots
/// included. The name of a class also covers its nested classes.
///
/// @param names of which one must match
public record ClassPattern(List<String> names) {

    /// Reads `com.acme.*:org.example.Parser`.
    ///
    /// @throws IllegalArgumentException with one sentence for the user
    public static ClassPattern parse(String text) {
        List<String> names = List.of(text.split(":", -1));
        for (String name : names) {
            if (name.isEmpty() || !name.chars().allMatch(ClassPattern::isAllowed)) {
                throw new IllegalArgumentException("preempt=" + text + " is refused: it must name classes, as in"
                        + " preempt=com.acme.*:org.example.Parser.");
            }
        }
        return new ClassPattern(names);
    }

    private static boolean isAllowed(int character) {
        return character == '*' || character == '.' || Character.isJavaIdentifierPart(character);
    }

    /// Whether a class of this name, written with dots, is meant.
    boolean matches(String className) {
        for (String name : names) {
            if (matches(name, 0, className, 0)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String pattern, int i, String name, int j) {
        while (i < pattern.length() && pattern.charAt(i) != '*') {
            if (j == name.length() || pattern.charAt(i) != name.charAt(j)) {
                return false;
            }
            i++;
            j++;
        }
        if (i == pattern.length()) {
            return j == name.length() || name.charAt(j) == '$';
        }
        for (int rest = j; rest <= name.length(); rest++) {
            if (matches(pattern, i + 1, name, rest)) {
                return true;
            }
        }
        return false;
    }
}
