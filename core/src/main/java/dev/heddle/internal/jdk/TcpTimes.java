package dev.heddle.internal.jdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// When a TCP connection last sent and received data, as Linux knows it (`TCP_INFO`). If the last data went out after
/// the last data came in, the reader waits for an answer.
///
/// @param sentMillis     milliseconds since data was sent
/// @param receivedMillis milliseconds since data was received; `Integer.MAX_VALUE` if none ever was
public record TcpTimes(int sentMillis, int receivedMillis) {

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;

    // struct tcp_info: eight bytes, 24 numbers of 32 bits, then numbers of 64 bits; so since Linux 4.1.
    private static final int SENT_OFFSET = 44;
    private static final int RECEIVED_OFFSET = 52;
    private static final int BYTES_RECEIVED_OFFSET = 128;
    private static final int SIZE = BYTES_RECEIVED_OFFSET + Long.BYTES;

    /// The first use of the foreign-function interface costs more than 100 ms, so this is linked on first use.
    private static final class Handles {
        static final MethodHandle GETSOCKOPT = link();

        @SuppressWarnings("restricted") // allowNativeAccess is for that
        private static MethodHandle link() {
            Jdk.allowNativeAccess();
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("getsockopt"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        }
    }

    /// Null if the descriptor is not a TCP socket, or the system is not Linux.
    public static @Nullable TcpTimes of(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(SIZE, Long.BYTES);
            MemorySegment length = arena.allocate(JAVA_INT);
            length.set(JAVA_INT, 0, SIZE);
            int failed = (int) Handles.GETSOCKOPT.invokeExact(descriptor, IPPROTO_TCP, TCP_INFO, info, length);
            if (failed != 0 || length.get(JAVA_INT, 0) < SIZE) {
                return null;
            }
            boolean isSilent = info.get(JAVA_LONG, BYTES_RECEIVED_OFFSET) == 0;
            return new TcpTimes(
                    info.get(JAVA_INT, SENT_OFFSET),
                    isSilent ? Integer.MAX_VALUE : info.get(JAVA_INT, RECEIVED_OFFSET));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
