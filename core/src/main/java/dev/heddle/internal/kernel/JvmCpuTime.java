package dev.heddle.internal.kernel;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/// The CPU time of threads as the JVM knows it, for systems where it cannot be read under /proc.
///
/// Loading the management classes takes a while and may need locks that user code holds. So a thread that may wait does
/// it, the [Demoter]; until then the answer is "not known".
final class JvmCpuTime {

    private static volatile @Nullable ThreadMXBean bean;

    private JvmCpuTime() {}

    /// Loads what [#of] needs, if this JVM has it and the operating system does not give a better answer.
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
            bean = null; // no module java.management: time alone has to do
        }
    }

    /// The CPU time of a platform thread in nanoseconds; -1 if it is not known. Any thread.
    static long of(Thread thread) {
        ThreadMXBean known = bean;
        return known == null ? -1 : known.getThreadCpuTime(thread.threadId());
    }
}
