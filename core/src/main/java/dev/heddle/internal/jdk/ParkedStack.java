package dev.heddle.internal.jdk;

import java.lang.StackWalker.StackFrame;
import java.util.function.Function;
import java.util.stream.Stream;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/// The frames of a virtual thread that has just been unmounted, before its state says that it is parked.
///
/// `Thread.getStackTrace` refuses such a thread, because it could be mounted again while its frames are read. The
/// caller is the thread's carrier, which alone can let it go on: so its continuation is walked without suspending it.
public final class ParkedStack {

    /// The innermost frames tell where a thread waits and on whose behalf. Go's tools read no more than 128.
    public static final int MOST_FRAMES = 64;

    private static final Function<Stream<StackFrame>, StackTraceElement[]> FRAMES = frames ->
            frames.limit(MOST_FRAMES).map(StackFrame::toStackTraceElement).toArray(StackTraceElement[]::new);

    private ParkedStack() {}

    /// Loads what [#of(Thread)] needs, on a thread that may wait for class loading.
    public static void link() {
        StackTraceElement[] _ = StackWalker.getInstance().walk(FRAMES);
        StackTraceElement[] _ = of(new Continuation(new ContinuationScope("heddle-link"), () -> {}));
    }

    /// The frames, the innermost first, at most [#MOST_FRAMES]. Allocates. On the carrier's own stack, between the
    /// unmounting of the thread and the end of `endBlocking`.
    public static StackTraceElement[] of(Thread virtualThread) {
        return of((Continuation) Jdk.U.getReference(virtualThread, Jdk.CONTINUATION));
    }

    private static StackTraceElement[] of(Continuation continuation) {
        return continuation.stackWalker().walk(FRAMES);
    }
}
