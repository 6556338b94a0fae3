package dev.heddle.internal.jdk;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// Opens files without taking any lock of the JDK.
///
/// An ordinary `FileInputStream` registers with the JVM's common list of cleaners, under a Java monitor. A virtual
/// thread can be unmounted while it holds that monitor. If the scheduler's system monitor then waited for it, no
/// thread would be left to make sure that the virtual thread gets a processor again.
public final class RawFile {

    private static final MethodHandle OPEN = openHandle();

    private RawFile() {}

    /// Opens a file for reading; the caller must close it.
    ///
    /// @throws FileNotFoundException under the same conditions as the constructor of FileInputStream
    public static FileInputStream open(String path) throws FileNotFoundException {
        FileInputStream in = new FileInputStream(new FileDescriptor());
        try {
            OPEN.invokeExact(in, path);
            return in;
        } catch (FileNotFoundException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Reads the beginning of a file. Returns the number of bytes read, or -1 if the file is empty.
    public static int read(String path, byte[] into) throws IOException {
        try (FileInputStream in = open(path)) {
            return in.read(into);
        }
    }

    /// Uses the JDK's own lookup: `java.io` is not among the packages that users are asked to open.
    private static MethodHandle openHandle() {
        try {
            var field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
            var lookup = (MethodHandles.Lookup)
                    Jdk.U.getReference(Jdk.U.staticFieldBase(field), Jdk.U.staticFieldOffset(field));
            return lookup.findVirtual(FileInputStream.class, "open0", MethodType.methodType(void.class, String.class));
        } catch (ReflectiveOperationException e) {
            throw Jdk.unexpected("java.io.FileInputStream.open0", e);
        }
    }
}
