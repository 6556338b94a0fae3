package dev.heddle.testing;

import java.util.Map;

/// The codes of keys, as DevTools wants them beside their names.
final class Keys {

    private static final Map<String, Integer> NAMED = Map.ofEntries(
            Map.entry("Backspace", 8),
            Map.entry("Tab", 9),
            Map.entry("Enter", 13),
            Map.entry("Escape", 27),
            Map.entry("PageUp", 33),
            Map.entry("PageDown", 34),
            Map.entry("End", 35),
            Map.entry("Home", 36),
            Map.entry("ArrowLeft", 37),
            Map.entry("ArrowUp", 38),
            Map.entry("ArrowRight", 39),
            Map.entry("ArrowDown", 40),
            Map.entry("Delete", 46));

    private Keys() {}

    /// Of letters and digits it is the capital's character. Other characters have codes that depend on the keyboard,
    /// and no page needs them.
    static int code(String key) {
        Integer code = NAMED.get(key);
        if (code != null) {
            return code;
        }
        if (key.length() != 1) {
            throw new IllegalArgumentException("there is no key " + key);
        }
        char c = Character.toUpperCase(key.charAt(0));
        return Character.isLetterOrDigit(c) || c == ' ' ? c : 0;
    }
}
