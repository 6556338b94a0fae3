package dev.heddle.internal.jdk;

import jdk.internal.misc.VM;
import org.jspecify.annotations.Nullable;

/// The options on the command line of this JVM.
final class JvmArguments {

    private JvmArguments() {}

    /// Whether an option begins with one of `prefixes`.
    static boolean isAny(String... prefixes) {
        return isAny(VM.getRuntimeArguments(), prefixes);
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
