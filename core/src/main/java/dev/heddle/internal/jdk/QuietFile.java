package dev.heddle.internal.jdk;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// Opens files without a lock of the JDK's.
///
/// An ordinary `FileInputStream` enters itself into the JVM's one list of cleaners, under a monitor. A virtual
/// thread can be unmounted while it holds that monitor; if the system monitor then waited for it, nobody would
/// be left to see that the thread gets a processor again.
public final class QuietFile {

    private static final MethodHandle OPEN = openHandle();

    private QuietFile() {}

    /// Opens a file for reading; whoever opened it must close it.
    ///
    /// @throws FileNotFoundException as the constructor of FileInputStream does
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

    /// Reads the beginning of a file; the number of bytes, or -1 if it is empty.
    public static int read(String path, byte[] into) throws IOException {
        try (FileInputStream in = open(path)) {
            return in.read(into);
        }
    }

    /// By the JDK's own lookup: `java.io` is not among the packages that users are asked to open.
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
