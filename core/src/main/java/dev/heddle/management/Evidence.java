package dev.heddle.management;

import dev.heddle.internal.jdk.Access;
import dev.heddle.internal.observe.SampleWindow;
import dev.heddle.internal.observe.Sampler;
import java.time.Duration;

/// The bean behind [EvidenceMXBean].
public final class Evidence implements EvidenceMXBean {

    /// The name under which it is registered.
    public static final String OBJECT_NAME = "dev.heddle:type=Evidence";

    /// @throws UnsupportedOperationException if this JVM cannot run Heddle, with one sentence that says why
    public Evidence() {
        Access.require();
    }

    @Override
    public byte[] record(long millis) {
        try {
            return SampleWindow.toBytes(new Sampler().record(Duration.ofMillis(millis), () -> false));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the JVM ends", e);
        }
    }
}
