package dev.heddle.internal.observe;

import java.time.Duration;
import jdk.jfr.consumer.RecordingStream;

/// Prints the goroutines to standard error whenever the JVM prints its own thread dump: `kill -QUIT PID`, Ctrl-\ in a
/// terminal.
///
/// The JVM reserves SIGQUIT: it refuses a handler for it, even with -Xrs. But its dump is a VM operation, and the JDK's
/// flight recorder reports VM operations. It does so once a second, so the goroutines follow the threads within about
/// that time. `jcmd PID Thread.print` has the same effect.
final class DumpListener {

    private static final String EVENT = "jdk.ExecuteVMOperation";
    private static final String THREAD_DUMP = "PrintThreads";

    private final RecordingStream stream = new RecordingStream();

    private DumpListener() {
        stream.enable(EVENT).withThreshold(Duration.ZERO).withoutStackTrace();
        stream.onEvent(EVENT, event -> {
            if (THREAD_DUMP.equals(event.getString("operation"))) {
                print();
            }
        });
    }

    static DumpListener start() {
        DumpListener listener = new DumpListener();
        // Not startAsync, whose thread would keep the JVM alive.
        Thread.ofPlatform().daemon().name("heddle-dump").start(listener.stream::start);
        return listener;
    }

    private static void print() {
        for (String name : SchedulerReader.kernels().keySet()) {
            System.err.println(SchedulerReader.dump(name).text(/* allFrames= */ false));
        }
    }

    void close() {
        stream.close();
    }
}
