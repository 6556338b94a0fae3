package dev.heddle.internal.jdk;

import dev.heddle.internal.settings.DidYouMean;
import dev.heddle.internal.settings.Settings;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Reports properties such as `-Dheddle.proc=4` that Heddle does not know, because a setting that is silently ignored
/// is hard to find.
///
/// Only the JVM's command line is checked: a program may set properties of its own at run time.
public final class UnknownProperties {

    private static final String OPTION = "-D";
    private static final String PREFIX = "heddle.";

    /// The testkit knows these, and complains itself.
    private static final String OF_TESTKIT = "heddle.test.";

    private static final AtomicBoolean REPORTED = new AtomicBoolean();

    private UnknownProperties() {}

    /// Prints a line for each unknown property, at the first call. Any thread.
    public static void reportOnce() {
        if (REPORTED.compareAndSet(false, true)) {
            complaints(JvmArguments.all()).forEach(System.err::println);
        }
    }

    static List<String> complaints(String[] arguments) {
        List<String> known = known();
        List<String> complaints = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.startsWith(OPTION + PREFIX)) {
                int equals = argument.indexOf('=');
                String name = argument.substring(OPTION.length(), equals < 0 ? argument.length() : equals);
                if (!known.contains(name) && !name.startsWith(OF_TESTKIT)) {
                    complaints.add("heddle: ignoring " + argument + ": there is no such setting"
                            + DidYouMean.hint(name, known) + "; docs/settings.md lists all.");
                }
            }
        }
        return complaints;
    }

    /// The names are the constants of [Settings]. A test compares them with the settings that are documented.
    private static List<String> known() {
        List<String> known = new ArrayList<>();
        for (Field field : Settings.class.getFields()) {
            try {
                if (field.getType() == String.class && ((String) field.get(null)).startsWith(PREFIX)) {
                    known.add((String) field.get(null));
                }
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e); // public constants of a public class
            }
        }
        return known;
    }
}
