package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What observers are told about the sleep of a thread, from files as Linux writes them. [RetakerTest] and
/// [MonitorEvidenceTest] test what the monitor makes of it.
class ThreadProbeTest {
    private final ThreadProbe probe = new ThreadProbe(Thread.currentThread());

    @TempDir
    private Path folder;

    @BeforeEach
    void readsFromTheFolder() {
        probe.readFrom(folder.toString());
    }

    private void linuxSays(String state, long cpuNanos, long timesScheduled) throws IOException {
        Files.writeString(folder.resolve("stat"), "17 (a (strange) name) " + state + " 1 1");
        Files.writeString(folder.resolve("schedstat"), cpuNanos + " 0 " + timesScheduled + "\n");
    }

    @Test
    void aSleepIsNumbered() throws IOException {
        linuxSays("S", 100, 5);

        assertThat(probe.observedSleep()).isEqualTo(ThreadProbe.Sleep.ASLEEP);
        assertThat(probe.sleepId()).isEqualTo(5);
    }

    /// The state costs twenty times as much as the number: it is not read again.
    @Test
    void theSameSleepIsRecognizedByItsNumberAndItsCpuTime() throws IOException {
        linuxSays("S", 100, 5);
        probe.observedSleep();
        linuxSays("R", 100, 5);

        assertThat(probe.observedSleep()).isEqualTo(ThreadProbe.Sleep.ASLEEP);
    }

    @Test
    void aThreadThatWasScheduledAgainIsAwake() throws IOException {
        linuxSays("S", 100, 5);
        probe.observedSleep();
        linuxSays("R", 100, 6);

        assertThat(probe.observedSleep()).isEqualTo(ThreadProbe.Sleep.AWAKE);
        assertThat(probe.sleepId()).isEqualTo(-1);
    }

    /// A thread that goes to sleep and is woken before it has left its CPU runs on, and was not scheduled again.
    @Test
    void aThreadThatWasWokenBeforeItWasSwitchedOutIsAwake() throws IOException {
        linuxSays("S", 100, 5);
        probe.observedSleep();
        linuxSays("R", 4_000_100, 5);

        assertThat(probe.observedSleep()).isEqualTo(ThreadProbe.Sleep.AWAKE);
    }

    @Test
    void withoutTheNumberASleepIsSeenButNotRecognized() throws IOException {
        linuxSays("D", 100, 5);
        Files.delete(folder.resolve("schedstat"));

        assertThat(probe.observedSleep()).isEqualTo(ThreadProbe.Sleep.ASLEEP);
        assertThat(probe.sleepId()).isEqualTo(-1);
    }

    @Test
    void withoutFilesNothingIsKnown() {
        assertThat(probe.observedSleep()).isEqualTo(ThreadProbe.Sleep.UNKNOWN);
    }
}
