package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RealSystemFilesTest {
    private final SystemFiles files = SystemFiles.real();

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 8192, 100_000})
    void readsFilesOfEveryLength(int length) throws Exception {
        String text = "0123456789".repeat(length / 10 + 1).substring(0, length);
        Path file = Files.writeString(directory.resolve("file"), text);

        assertThat(files.read(file.toString())).isEqualTo(text);
    }

    @Test
    void readsTextAsUtf8() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "0::/größe\n");

        assertThat(files.read(file.toString())).isEqualTo("0::/größe\n");
    }

    @Test
    void aMissingFileIsNull() throws Exception {
        assertThat(files.read(directory.resolve("none").toString())).isNull();
        assertThat(files.read(directory.resolve("no/such/directory").toString()))
                .isNull();
    }

    @Test
    void aFileThatCannotBeReadIsASentence() {
        assertThatIOException()
                .isThrownBy(() -> files.read(directory.toString()))
                .withMessageStartingWith(directory + " cannot be read: (")
                .withMessageNotContaining(directory + " (");
    }
}
