package dev.heddle.internal.procs;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// The one door through which this package reads files of the kernel (`/proc`, `/sys`).
public interface SystemFiles {

    /// The whole text of a file.
    ///
    /// @param path an absolute path
    /// @return the text, or null if there is no such file
    /// @throws IOException if the file exists and cannot be read; its message is one sentence that names the file
    @Nullable
    String read(String path) throws IOException;

    /// How a file is opened: `FileInputStream::new`, or what waits for no lock of the JDK's.
    @FunctionalInterface
    interface Opener {
        InputStream open(String path) throws IOException;
    }

    /// The files of this machine, opened in that way. Any thread.
    static SystemFiles real(Opener opener) {
        return new RealSystemFiles(opener);
    }

    /// The files of this machine. Any thread.
    static SystemFiles real() {
        return RealSystemFiles.INSTANCE;
    }
}
