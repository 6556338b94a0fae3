package dev.heddle.internal.jdk;

import jdk.internal.misc.VM;
import org.jspecify.annotations.Nullable;

/// The options on the command line of this JVM.
public final class JvmArguments {

    private JvmArguments() {}

    /// Whether an option begins with one of `prefixes`.
    public static boolean isAny(String... prefixes) {
        return isAny(VM.getRuntimeArguments(), prefixes);
    }

    /// All options, also those of `JDK_JAVA_OPTIONS`, `JAVA_TOOL_OPTIONS` and argument files.
    static String[] all() {
        String[] arguments = VM.getRuntimeArguments();
        return arguments == null ? new String[0] : arguments;
    }

    /// The JDK says null if there are no options at all.
    static boolean isAny(String @Nullable [] arguments, String... prefixes) {
        if (arguments != null) {
            for (String argument : arguments) {
                for (String prefix : prefixes) {
                    if (argument.startsWith(prefix)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
