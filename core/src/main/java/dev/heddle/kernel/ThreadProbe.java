package dev.heddle.kernel;

import dev.heddle.jdk.QuietFile;
import java.io.File;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What the JVM and the operating system say of a machine's thread: whether it sleeps, and how much CPU time it
/// had.
///
/// On Linux this is read from /proc; elsewhere only the JVM's own thread state is known.
final class ThreadProbe {

    private final Thread thread;

    /// The thread's files under /proc; null before it has started, or where there are none.
    private volatile @Nullable String stat;

    private volatile @Nullable String schedstat;

    private volatile int threadId;

    /// One reader: the system monitor.
    private final byte[] buffer = new byte[512];

    ThreadProbe(Thread thread) {
        this.thread = thread;
    }

    /// Finds out which thread of the operating system this is. On that thread.
    void begin() {
        try {
            String path = new File("/proc/thread-self").getCanonicalPath();
            int task = path.lastIndexOf('/');
            threadId = Integer.parseInt(path, task + 1, path.length(), 10);
            schedstat = path + "/schedstat";
            stat = path + "/stat";
        } catch (IOException | RuntimeException | OutOfMemoryError _) {
            stat = null; // not Linux, /proc is not mounted, or no memory: the thread state has to do
        }
    }

    /// The operating system's id of the thread; 0 if it is not known.
    int threadId() {
        return threadId;
    }

    /// Whether the JVM says that the thread waits: a pinned park or wait, a contended monitor. No system call.
    boolean isWaiting() {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, BLOCKED -> true;
            case NEW, RUNNABLE, TERMINATED -> false;
        };
    }

    /// Whether the operating system says that the thread sleeps (S or D). About 20 us. System monitor only.
    boolean isAsleep() {
        int length = read(stat);
        for (int i = length - 1; i > 0; i--) {
            if (buffer[i] == ')') { // the name before it may contain anything
                return i + 2 < length && (buffer[i + 2] == 'S' || buffer[i + 2] == 'D');
            }
        }
        return false;
    }

    /// CPU time used, and in [#timesScheduled] how often; -1 if not known. About 1 us. System monitor only.
    long cpuNanos() {
        int length = read(schedstat);
        if (length <= 0) {
            return -1;
        }
        long cpu = number(0, length);
        int second = afterSpace(0, length);
        timesScheduled = number(afterSpace(second, length), length);
        return cpu;
    }

    /// The digits from there on: no string is made, since memory may be what is missing.
    private long number(int from, int length) {
        long number = 0;
        for (int i = from; i < length && buffer[i] >= '0' && buffer[i] <= '9'; i++) {
            number = 10 * number + buffer[i] - '0';
        }
        return number;
    }

    private int afterSpace(int from, int length) {
        int i = from;
        while (i < length && buffer[i] != ' ') {
            i++;
        }
        return i + 1;
    }

    private long timesScheduled;

    /// As of the last [#cpuNanos].
    long timesScheduled() {
        return timesScheduled;
    }

    private int read(@Nullable String file) {
        if (file == null) {
            return -1;
        }
        try {
            return QuietFile.read(file, buffer);
        } catch (IOException | OutOfMemoryError _) {
            return -1; // the thread ended; or no memory: the monitor judges by time alone
        }
    }
}
