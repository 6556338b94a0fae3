package dev.heddle.internal.observe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What a [Sampler] recorded of one scheduler during some seconds.
///
/// @param scheduler its name
/// @param samples   figures, at short intervals
/// @param dumps     goroutines, at longer intervals
/// @param classes   class files of the program's own code on the stacks, by name; unavailable ones are missing
public record SampleWindow(String scheduler, List<Sample> samples, List<Dump> dumps, Map<String, byte[]> classes)
        implements Serializable {

    /// The classes that the bytes may contain: only Heddle's records and the types of `java.base`.
    private static final ObjectInputFilter FILTER =
            ObjectInputFilter.Config.createFilter("dev.heddle.internal.observe.*;dev.heddle.stats.*;java.base/*;!*");

    public SampleWindow {
        samples = List.copyOf(samples);
        dumps = List.copyOf(dumps);
        classes = Map.copyOf(classes);
    }

    /// As bytes, for another JVM with the same version of Heddle.
    public static byte[] toBytes(List<SampleWindow> recordings) {
        var bytes = new ByteArrayOutputStream(1 << 16);
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeInt(recordings.size());
            for (SampleWindow recording : recordings) {
                out.writeObject(recording);
            }
        } catch (IOException e) {
            throw new IllegalStateException("a recording could not be written: " + e.getMessage(), e);
        }
        return bytes.toByteArray();
    }

    /// The recordings in these bytes.
    ///
    /// @throws IOException with one sentence, if they are of another version of Heddle
    public static List<SampleWindow> fromBytes(byte[] bytes) throws IOException {
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            in.setObjectInputFilter(FILTER);
            List<SampleWindow> recordings = new ArrayList<>();
            for (int i = in.readInt(); i > 0; i--) {
                recordings.add((SampleWindow) in.readObject());
            }
            return recordings;
        } catch (ClassNotFoundException | ClassCastException | InvalidClassException e) {
            throw new IOException("the program has another version of Heddle than this command: " + e.getMessage(), e);
        }
    }
}
