package dev.heddle.testkit.internal;

import dev.heddle.testkit.internal.choose.Chooser;
import java.util.SortedMap;
import java.util.TreeMap;

/// A schedule that can be written down: the seed, and the thread that runs at each step where it is not the next one in
/// turn, as in `1:4=2,6=1`. The clock is written as `t`. At a step where a thread is notified, it is that thread, if it
/// is not the one that has waited longest.
///
/// @param seed       of the schedule, not of the check
/// @param deviations by step
record ReplayCode(long seed, SortedMap<Integer, Integer> deviations) {

    static ReplayCode parse(String text) {
        try {
            int colon = text.indexOf(':');
            long seed = Long.parseUnsignedLong(text.substring(0, colon), 36);
            SortedMap<Integer, Integer> deviations = new TreeMap<>();
            String rest = text.substring(colon + 1);
            for (String part : rest.isEmpty() ? new String[0] : rest.split(",")) {
                int equals = part.indexOf('=');
                String thread = part.substring(equals + 1);
                deviations.put(
                        Integer.parseInt(part.substring(0, equals)),
                        thread.equals("t") ? Chooser.CLOCK : Integer.parseInt(thread));
            }
            return new ReplayCode(seed, deviations);
        } catch (NumberFormatException | StringIndexOutOfBoundsException _) {
            throw new IllegalArgumentException(
                    "replay=" + text + " is refused: it must be a code that a failure has printed, as 1:4=2,6=1.");
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(Long.toUnsignedString(seed, 36)).append(':');
        deviations.forEach((step, thread) -> text.append(text.charAt(text.length() - 1) == ':' ? "" : ",")
                .append(step)
                .append('=')
                .append(thread == Chooser.CLOCK ? "t" : thread.toString()));
        return text.toString();
    }
}
