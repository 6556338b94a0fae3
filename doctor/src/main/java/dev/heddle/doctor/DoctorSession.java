package dev.heddle.doctor;

import dev.heddle.client.JvmConnection;
import dev.heddle.internal.observe.Dump;
import dev.heddle.internal.observe.Sample;
import dev.heddle.internal.observe.SampleWindow;
import dev.heddle.management.Evidence;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;

/// Makes a running JVM record itself, and fetches the recording.
public final class DoctorSession {

    /// Records in several short steps, not in one long one: a request without a timely answer counts as failed.
    private static final Duration STEP = Duration.ofSeconds(10);

    private DoctorSession() {}

    /// The recordings of all schedulers of a JVM over the given duration.
    ///
    /// @throws IOException with one sentence, if the JVM does not answer
    public static List<SampleWindow> of(JvmConnection jvm, Duration duration) throws IOException {
        Map<String, SampleWindow> all = new LinkedHashMap<>();
        Duration left = duration;
        while (left.isPositive()) {
            Duration step = left.compareTo(STEP) < 0 ? left : STEP;
            for (SampleWindow recording : SampleWindow.fromBytes(record(jvm, step))) {
                all.merge(recording.scheduler(), recording, DoctorSession::together);
            }
            left = left.minus(step);
        }
        return List.copyOf(all.values());
    }

    private static byte[] record(JvmConnection jvm, Duration step) throws IOException {
        try {
            ObjectName name = new ObjectName(Evidence.OBJECT_NAME);
            if (!jvm.connection().isRegistered(name)) {
                create(jvm, name);
            }
            return (byte[]) jvm.connection()
                    .invoke(name, "record", new Object[] {step.toMillis()}, new String[] {long.class.getName()});
        } catch (JMException e) {
            throw new IOException("process %d cannot be examined: %s.".formatted(jvm.pid(), e.getMessage()), e);
        } catch (IOException e) {
            throw jvm.connectionLost(e);
        }
    }

    private static void create(JvmConnection jvm, ObjectName name) throws IOException, JMException {
        try {
            jvm.connection().createMBean(Evidence.class.getName(), name);
        } catch (InstanceAlreadyExistsException _) {
            // another doctor created the bean at the same time
        }
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
