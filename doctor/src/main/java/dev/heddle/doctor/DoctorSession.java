package dev.heddle.doctor;

import dev.heddle.client.JvmConnection;
import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Sample;
import dev.heddle.internal.observe.SampleWindow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Makes a running JVM record itself, and fetches the recording.
public final class DoctorSession {

    private DoctorSession() {}

    /// The recordings of all schedulers of a JVM over the given duration.
    ///
    /// @throws IOException with one sentence, if the JVM does not answer
    public static List<SampleWindow> of(JvmConnection jvm, Duration duration) throws IOException {
        Map<String, SampleWindow> all = new LinkedHashMap<>();
        for (List<SampleWindow> recording : jvm.record(duration)) {
            for (SampleWindow window : recording) {
                all.merge(window.scheduler(), window, DoctorSession::together);
            }
        }
        return List.copyOf(all.values());
    }

    private static SampleWindow together(SampleWindow earlier, SampleWindow later) {
        List<Sample> samples = new ArrayList<>(earlier.samples());
        samples.addAll(later.samples());
        List<Dump> dumps = new ArrayList<>(earlier.dumps());
        dumps.addAll(later.dumps());
        Map<String, byte[]> classes = new HashMap<>(earlier.classes());
        classes.putAll(later.classes());
        return new SampleWindow(earlier.scheduler(), samples, dumps, classes);
    }
}
