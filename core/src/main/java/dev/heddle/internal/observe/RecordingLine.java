package dev.heddle.internal.observe;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One line of a recording, with one of these components set. A recording is sent and stored in lines, because as a
/// whole it may be large.
///
/// @param window    the begin of a scheduler's window: its other components follow, line by line
/// @param sample    a sample of the window that began last
/// @param dump      a dump of the window that began last
/// @param list      a list of strings, which later lines name by its index
/// @param className the name of a class of the program, for all windows
/// @param classFile its class file
/// @param end       the end of the recording
@SuppressWarnings("ArrayRecordComponent") // bytes of a class file, which no code changes
public record RecordingLine(
        @Nullable SampleWindow window,
        @Nullable Sample sample,
        @Nullable Dump dump,
        List<String> list,
        @Nullable String className,
        byte[] classFile,
        boolean end) {

    private static final byte[] NONE = {};

    static RecordingLine of(SampleWindow window) {
        return new RecordingLine(window, null, null, List.of(), null, NONE, false);
    }

    static RecordingLine of(Sample sample) {
        return new RecordingLine(null, sample, null, List.of(), null, NONE, false);
    }

    static RecordingLine of(Dump dump) {
        return new RecordingLine(null, null, dump, List.of(), null, NONE, false);
    }

    static RecordingLine of(String className, byte[] classFile) {
        return new RecordingLine(null, null, null, List.of(), className, classFile, false);
    }

    static RecordingLine ofEnd() {
        return new RecordingLine(null, null, null, List.of(), null, NONE, true);
    }
}
