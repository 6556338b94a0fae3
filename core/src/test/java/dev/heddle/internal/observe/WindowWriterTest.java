package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heddle.Go;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WindowWriterTest {

    /// At the first line fills the heap, and keeps it full until the second one.
    static final class FullHeap {
        private static final List<byte[]> FILLED = new ArrayList<>(1 << 20);

        public static void main(String[] args) throws IOException {
            Go.go(() -> {});
            int _ = System.in.read();
            for (int size = 1 << 20; size >= 16; ) {
                try {
                    FILLED.add(new byte[size]);
                } catch (OutOfMemoryError _) {
                    size /= 2;
                }
            }
            int _ = System.in.read();
            FILLED.clear();
            int _ = System.in.read();
        }
    }

    @Test
    void theRecordingGoesOnAfterMemoryRanOut(@TempDir Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("recording");
        try (LiveJvm child = ChildJvm.of(FullHeap.class)
                .option("-Xmx24m", "-Dheddle.record=" + file, "-Dheddle.record.millis=50")
                .start()) {
            await().until(() -> !WindowWriter.read(file).isEmpty());
            child.send("");
            await().until(() -> child.err().contains("memory ran out"));
            int before = WindowWriter.read(file).size();
            child.send("");
            await().until(() -> WindowWriter.read(file).size() > before);
            assertThat(child.err()).containsOnlyOnce("heddle: memory ran out: the recording to " + file);
            child.send("");
        }
    }
}
