package dev.heddle.internal.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Finds the word that a user probably meant, for messages about unknown names.
public final class DidYouMean {

    /// One typing error is accepted per so many letters, and at least one. With two in a word of four letters,
    /// most words of that length would be similar.
    private static final int LETTERS_PER_ERROR = 4;

    private DidYouMean() {}

    /// The known word that differs least from `wrong`; null if none is similar. Case does not count.
    public static @Nullable String nearest(String wrong, Collection<String> known) {
        int allowed = Math.max(1, wrong.length() / LETTERS_PER_ERROR);
        return known.stream()
                .filter(it -> errors(wrong, it) <= allowed)
                .min(Comparator.comparingInt((String it) -> errors(wrong, it)).thenComparing(it -> it))
                .orElse(null);
    }

    /// `" (did you mean 'top'?)"`; empty if nothing is similar.
    public static String hint(String wrong, Collection<String> known) {
        String meant = nearest(wrong, known);
        return meant == null ? "" : " (did you mean '" + meant + "'?)";
    }

    /// How many letters were left out, added, replaced or swapped with their neighbour.
    static int errors(String wrong, String right) {
        String from = wrong.toLowerCase(Locale.ROOT);
        String to = right.toLowerCase(Locale.ROOT);
        int[][] errors = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    errors[i][j] = i + j;
                    continue;
                }
                int replaced = errors[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                errors[i][j] = Math.min(replaced, 1 + Math.min(errors[i - 1][j], errors[i][j - 1]));
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    errors[i][j] = Math.min(errors[i][j], errors[i - 2][j - 2] + 1);
                }
            }
        }
        return errors[from.length()][to.length()];
    }
}
