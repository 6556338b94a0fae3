package dev.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.FileNotFoundException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawFileTest {

    @TempDir
    Path folder;

    @Test
    void readsTheBeginningOfAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("some"), "heddle and reed");
        byte[] bytes = new byte[6];

        assertThat(RawFile.read(file.toString(), bytes)).isEqualTo(6);
        assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo("heddle");
    }

    @Test
    void aMissingFileIsSaid() {
        assertThatThrownBy(() -> RawFile.read(folder.resolve("none").toString(), new byte[1]))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("none");
    }

    /// No cleaner closes these files: every read must.
    @Test
    void leavesNoFileOpen() throws Exception {
        String file = Files.writeString(folder.resolve("some"), "x").toString();
        String[] before = new File("/proc/self/fd").list();
        for (int i = 0; i < 1000; i++) {
            RawFile.read(file, new byte[1]);
        }
        String[] after = new File("/proc/self/fd").list();

        if (before != null && after != null) { // Linux
            assertThat(after.length).isLessThan(before.length + 500);
        }
    }
}
