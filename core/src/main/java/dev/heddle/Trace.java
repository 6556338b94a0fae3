package dev.heddle;

import dev.heddle.internal.jdk.Access;
import dev.heddle.internal.kernel.TraceSwitch;
import dev.heddle.internal.observe.TraceControl;
import dev.heddle.internal.trace.EventKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The execution trace: records every scheduling decision of this JVM, and what the program adds to it.
///
/// `heddle trace view FILE` shows a recording. The annotations cost a read each while nothing is recorded, so they may
/// stay in a program. Any thread may use this class. Its model is Go's package runtime/trace.
public final class Trace {

    private static final AtomicLong LAST_TASK = new AtomicLong();

    private static TraceControl.@Nullable TraceFileWriter recording; // guarded by the class's monitor

    private Trace() {}

    // ---- recording

    /// What a recording has beside the events.
    ///
    /// @param stacksEvery one of so many parks is recorded with the goroutine's stack, on average, which takes some
    ///     microseconds; 0: none is. If several recordings run at the same time, all get the stacks that any of
    ///     them asks for.
    public record Options(int stacksEvery) {

        /// No stacks.
        public static final Options DEFAULT = new Options(0);

        /// @throws IllegalArgumentException if `stacksEvery` is negative
        public Options {
            if (stacksEvery < 0) {
                throw new IllegalArgumentException("stacksEvery must not be negative: " + stacksEvery);
            }
        }

        /// The same with a stack for one of so many parks; 0: for none.
        public Options withStacksEvery(int parks) {
            return new Options(parks);
        }
    }

    /// Records everything that happens from now on to `file`, until [#stop]. The recordings that commands and settings
    /// ask for are independent of this one.
    ///
    /// @throws IOException with one sentence, if the file cannot be written
    /// @throws IllegalStateException if this method has begun a recording that was not stopped
    public static void start(Path file) throws IOException {
        start(file, Options.DEFAULT);
    }

    /// The same, with options.
    ///
    /// @throws IOException with one sentence, if the file cannot be written
    /// @throws IllegalStateException if this class has begun a recording that was not stopped
    public static synchronized void start(Path file, Options options) throws IOException {
        Access.require();
        if (recording != null) {
            throw new IllegalStateException("a trace is being recorded already: stop it first");
        }
        recording = TraceControl.record(file, options.stacksEvery());
    }

    /// Ends the recording that [#start(Path)] has begun; does nothing if there is none. The file is complete then.
    ///
    /// @throws IOException with one sentence, if not everything could be written
    public static synchronized void stop() throws IOException {
        TraceControl.TraceFileWriter ending = recording;
        recording = null;
        if (ending != null) {
            ending.end();
        }
    }

    /// Writes the last seconds to `file`: what the flight recorder has, which the setting `heddle.flight` starts.
    ///
    /// @throws IOException with one sentence, if the file cannot be written
    /// @throws IllegalStateException if there is no flight recorder
    public static void snapshot(Path file) throws IOException {
        Access.require();
        TraceControl.snapshot(file, "the program asked for it");
    }

    /// Whether events are recorded now, by whatever means.
    public static boolean isEnabled() {
        return TraceSwitch.isOn();
    }

    // ---- annotations

    /// Begins a task: something that the program does, such as a request, in any number of goroutines.
    public static Task task(String name) {
        return Task.begin(0, name);
    }

    /// Begins a region: a span of time in the current goroutine or thread, which ends it, too. Regions nest.
    public static Region region(String name) {
        return Region.begin(0, name);
    }

    /// Adds a text to the trace, at this moment of the current goroutine or thread. At most 512 characters are kept.
    public static void log(String category, String message) {
        TraceSwitch.annotate(EventKind.LOG, 0, 0, category, message);
    }

    /// Something that the program does, in any number of goroutines. Ends when it is closed.
    public static final class Task implements AutoCloseable {
        private final long number;

        private Task(long number) {
            this.number = number;
        }

        private static Task begin(long parent, String name) {
            Task task = new Task(LAST_TASK.incrementAndGet());
            TraceSwitch.annotate(EventKind.TASK_BEGIN, task.number, parent, name, "");
            return task;
        }

        /// Begins a task that is part of this one.
        public Task task(String name) {
            return begin(number, name);
        }

        /// Begins a region of the current goroutine or thread that belongs to this task.
        public Region region(String name) {
            return Region.begin(number, name);
        }

        /// Adds a text that belongs to this task. At most 512 characters are kept.
        public void log(String category, String message) {
            TraceSwitch.annotate(EventKind.LOG, number, 0, category, message);
        }

        @Override
        public void close() {
            TraceSwitch.annotate(EventKind.TASK_END, number, 0, "", "");
        }
    }

    /// A span of time in one goroutine or thread. Ends when that closes it.
    public static final class Region implements AutoCloseable {
        private final long task;
        private final String name;

        private Region(long task, String name) {
            this.task = task;
            this.name = name;
        }

        private static Region begin(long task, String name) {
            TraceSwitch.annotate(EventKind.REGION_BEGIN, task, 0, name, "");
            return new Region(task, name);
        }

        @Override
        public void close() {
            TraceSwitch.annotate(EventKind.REGION_END, task, 0, name, "");
        }
    }
}
