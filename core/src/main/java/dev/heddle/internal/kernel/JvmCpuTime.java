package dev.heddle.internal.kernel;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/// The CPU time of threads as the JVM reports it, for systems where it cannot be read from /proc.
///
/// Loading the management classes is slow and may need locks that user code holds. So the [Demoter] does it, a thread
/// that may block. Until then the answer is "not known".
final class JvmCpuTime {

    private static volatile @Nullable ThreadMXBean bean;

    private JvmCpuTime() {}

    /// Loads the classes that [#of] needs, if this JVM has them and the operating system gives no better answer.
    static void prepareIfNeeded() {
        if (bean != null || (ThreadProbe.MAY_ASK_OS && new File("/proc/thread-self/schedstat").canRead())) {
            return;
        }
        try {
            ThreadMXBean found = ManagementFactory.getThreadMXBean();
            if (found.isThreadCpuTimeSupported() && found.isThreadCpuTimeEnabled()) {
                bean = found;
            }
        } catch (LinkageError | UnsupportedOperationException _) {
            bean = null; // no module java.management: wall-clock time has to do
        }
    }

    /// The CPU time of a platform thread in nanoseconds; -1 if it is not known. Any thread.
    static long of(Thread thread) {
        ThreadMXBean known = bean;
        return known == null ? -1 : known.getThreadCpuTime(thread.threadId());
    }
}
