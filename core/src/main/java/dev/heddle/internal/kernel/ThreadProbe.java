package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.RawFile;
import dev.heddle.internal.settings.Settings;
import java.io.File;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What is known of a machine's thread: whether it sleeps, and how much CPU time it has used.
///
/// The evidence comes in ranks, and each question is answered by the best rank that answers at all:
///
/// 1. the operating system: the thread's state and CPU time under /proc;
/// 2. the JVM: the thread's `getState`, and its CPU time from [JvmCpuTime];
/// 3. nothing: time alone.
///
/// A missing file degrades the evidence; it never stops the monitor from judging. `-Dheddle.evidence=jvm` or `time`
/// hides the better ranks.
final class ThreadProbe {

    /// The answer to [#sleep].
    enum Sleep {
        ASLEEP,
        AWAKE,
        UNKNOWN
    }

    private static final String RANK = Settings.evidence();
    static final boolean MAY_ASK_OS = RANK.equals("os");
    private static final boolean MAY_ASK_JVM = !RANK.equals("time");

    private final Thread thread;

    /// The thread's files under /proc; null before it has started, or where there are none.
    private volatile @Nullable String stat;

    private volatile @Nullable String schedstat;

    private volatile int threadId;

    // One reader: the system monitor.
    private final byte[] buffer = new byte[512];
    private long cpuNanos = -1;
    private long timesScheduled = -1;

    /// The sleep that an observer found last. Any observer writes it; the last one wins.
    private volatile @Nullable SeenAsleep seenAsleep;

    /// How often the thread had been scheduled, and its CPU time, when it slept. While both are the same, it
    /// has not run since. The number alone is not enough: a thread that is woken before it is switched out runs
    /// on with it.
    private record SeenAsleep(long timesScheduled, long cpuNanos) {

        boolean isSameAs(@Nullable SeenAsleep other) {
            return other != null && timesScheduled == other.timesScheduled && cpuNanos == other.cpuNanos;
        }
    }

    ThreadProbe(Thread thread) {
        this.thread = thread;
    }

    /// Determines the operating system's id and files of this thread. On that thread.
    void begin() {
        try {
            String path = new File("/proc/thread-self").getCanonicalPath();
            int task = path.lastIndexOf('/');
            threadId = Integer.parseInt(path, task + 1, path.length(), 10);
            if (MAY_ASK_OS) {
                readFrom(path);
            }
        } catch (IOException | RuntimeException | OutOfMemoryError _) {
            stat = null; // not Linux, /proc is not mounted, or no memory: the next rank answers
        }
    }

    /// Reads the thread's files in this folder from now on.
    void readFrom(String folder) {
        schedstat = folder + "/schedstat";
        stat = folder + "/stat";
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
    Sleep sleep() {
        return sleepIn(buffer, read(stat, buffer));
    }

    /// The same for observers: about 20 us, and 1 us if the thread has slept since the last observer asked. Any
    /// thread, since it allocates its own buffer.
    Sleep observedSleep() {
        byte[] bytes = new byte[buffer.length];
        int length = read(schedstat, bytes); // first: it may run before the next read
        var now = length > 0 ? new SeenAsleep(timesScheduledIn(bytes, length), number(bytes, 0, length)) : null;
        if (now != null && now.isSameAs(seenAsleep)) {
            return Sleep.ASLEEP;
        }
        Sleep sleep = sleepIn(bytes, read(stat, bytes));
        if (sleep == Sleep.ASLEEP) {
            seenAsleep = now;
        }
        return sleep;
    }

    /// How often the thread has been scheduled, if it sleeps: the same number means the same sleep; -1 if that is not
    /// known. Any thread.
    long sleepId() {
        if (observedSleep() != Sleep.ASLEEP) {
            return -1;
        }
        SeenAsleep seen = seenAsleep;
        return seen == null ? -1 : seen.timesScheduled;
    }

    private static Sleep sleepIn(byte[] bytes, int length) {
        for (int i = length - 1; i > 0; i--) {
            if (bytes[i] == ')' && i + 2 < length) { // the name before it may contain anything
                return bytes[i + 2] == 'S' || bytes[i + 2] == 'D' ? Sleep.ASLEEP : Sleep.AWAKE;
            }
        }
        return Sleep.UNKNOWN;
    }

    /// Reads [#cpuNanos] and [#timesScheduled]. About 1 us. System monitor only.
    void readCpu() {
        int length = read(schedstat, buffer);
        cpuNanos = length > 0 ? number(buffer, 0, length) : MAY_ASK_JVM ? JvmCpuTime.of(thread) : -1;
        timesScheduled = timesScheduledIn(buffer, length);
    }

    /// The third number of `schedstat`; -1 if the file could not be read.
    private static long timesScheduledIn(byte[] bytes, int length) {
        return length > 0 ? number(bytes, afterSpace(bytes, afterSpace(bytes, 0, length), length), length) : -1;
    }

    /// CPU time used as of the last [#readCpu]; -1 if not known.
    long cpuNanos() {
        return cpuNanos;
    }

    /// How often the thread had been scheduled as of the last [#readCpu]; -1 if not known.
    long timesScheduled() {
        return timesScheduled;
    }

    /// Parses the digits from `from` on. Allocates no string, since memory may be exhausted.
    private static long number(byte[] bytes, int from, int length) {
        long number = 0;
        for (int i = from; i < length && bytes[i] >= '0' && bytes[i] <= '9'; i++) {
            number = 10 * number + bytes[i] - '0';
        }
        return number;
    }

    private static int afterSpace(byte[] bytes, int from, int length) {
        int i = from;
        while (i < length && bytes[i] != ' ') {
            i++;
        }
        return i + 1;
    }

    private static int read(@Nullable String file, byte[] bytes) {
        if (file == null) {
            return -1;
        }
        try {
            return RawFile.read(file, bytes);
        } catch (IOException | OutOfMemoryError _) {
            return -1; // the thread ended, the file is hidden, or no memory: the next rank answers
        }
    }
}
