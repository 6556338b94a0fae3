package dev.heddle.internal.kernel;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where a goroutine was started: the `created by` of a dump. Noted on request only, since walking the stack
/// costs more than the goroutine.
///
/// @param frame  the innermost frame outside of Heddle
/// @param thread the id of the thread it was in
public record Creation(StackTraceElement frame, long thread) {

    /// Walking needs classes and lambdas, which are loaded when it is asked for.
    private static final class Walk {
        static final StackWalker WALKER = StackWalker.getInstance();

        /// What stands between the user's code and a new goroutine.
        static final Set<String> OWN = Set.of(
                "dev.heddle.internal.kernel.Creation",
                "dev.heddle.internal.kernel.Goroutine",
                "dev.heddle.internal.kernel.Kernel",
                "dev.heddle.Go",
                "dev.heddle.Scheduler",
                "dev.heddle.WaitGroup",
                "dev.heddle.ErrGroup",
                "dev.heddle.Cancellable",
                "dev.heddle.Context",
                "dev.heddle.AfterFunc",
                "dev.heddle.Timer");

        static @Nullable Creation here() {
            return WALKER.walk(frames -> frames.filter(it -> !OWN.contains(outermost(it.getClassName())))
                    .findFirst()
                    .map(it -> new Creation(
                            it.toStackTraceElement(), Thread.currentThread().threadId()))
                    .orElse(null));
        }

        private static String outermost(String className) {
            int inner = className.indexOf('$');
            return inner < 0 ? className : className.substring(0, inner);
        }
    }

    /// Read plainly at every start: seen soon enough.
    private static boolean noted;

    /// From now on the start of every goroutine is noted, or no more. Any thread.
    public static void note(boolean on) {
        noted = on;
    }

    public static boolean isNoted() {
        return noted;
    }

    /// The caller outside of Heddle; null if that is not to be noted.
    static @Nullable Creation here() {
        return noted ? Walk.here() : null;
    }
}
