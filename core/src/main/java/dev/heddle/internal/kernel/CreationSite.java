package dev.heddle.internal.kernel;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where a goroutine was started: the `created by` of a dump. Recorded on request only, since walking the stack
/// costs more than starting the goroutine.
///
/// @param frame  the innermost frame outside of Heddle
/// @param thread the id of the thread that started the goroutine
public record CreationSite(StackTraceElement frame, long thread) {

    /// A class of its own, so that the classes and lambdas for walking are loaded only when creations are recorded.
    private static final class Walk {
        static final StackWalker WALKER = StackWalker.getInstance();

        /// Heddle's classes whose frames lie between the user's code and a new goroutine.
        static final Set<String> OWN = Set.of(
                "dev.heddle.internal.kernel.CreationSite",
                "dev.heddle.internal.kernel.Goroutine",
                "dev.heddle.internal.kernel.Kernel",
                "dev.heddle.BodyGoroutine",
                "dev.heddle.Go",
                "dev.heddle.Scheduler",
                "dev.heddle.WaitGroup",
                "dev.heddle.ErrGroup",
                "dev.heddle.Cancellable",
                "dev.heddle.Context",
                "dev.heddle.AfterFunc",
                "dev.heddle.Timer");

        static @Nullable CreationSite here() {
            return WALKER.walk(frames -> frames.filter(it -> !OWN.contains(outermost(it.getClassName())))
                    .findFirst()
                    .map(it -> new CreationSite(
                            it.toStackTraceElement(), Thread.currentThread().threadId()))
                    .orElse(null));
        }

        private static String outermost(String className) {
            int inner = className.indexOf('$');
            return inner < 0 ? className : className.substring(0, inner);
        }
    }

    /// Plain: read at every start, and a change may be seen a little later.
    private static boolean noted;

    /// Switches the recording on or off for goroutines that start from now on. Any thread.
    public static void note(boolean on) {
        noted = on;
    }

    public static boolean isNoted() {
        return noted;
    }

    /// The calling frame outside of Heddle; null if creations are not recorded, or there is no such frame.
    static @Nullable CreationSite here() {
        return noted ? Walk.here() : null;
    }
}
