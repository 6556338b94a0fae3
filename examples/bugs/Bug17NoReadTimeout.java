import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Bug 17: socket reads without a timeout, to a server that does not answer.
///
/// **Symptom.** More and more requests hang, though the program has nothing to do; it recovers only by a restart.
/// **Cause.** A server accepts connections and does not answer. A read of a socket waits for ever unless told otherwise,
/// and virtual threads are so cheap that no pool runs out and no error is seen. **Fix.** `setSoTimeout`: a request that
/// gets no answer fails, and its caller can do something else.
///
/// `./heddle run examples/bugs/Bug17NoReadTimeout.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug17NoReadTimeout {
    private static final int REQUESTS_PER_SECOND = 50;
    private static final int TIMEOUT_MILLIS = 200;

    private static final AtomicInteger waiting = new AtomicInteger();
    private static final LongAdder failed = new LongAdder();

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        ServerSocket backend = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress()); // accepts, never answers
        long end = System.nanoTime() + Integer.getInteger("seconds", 3) * 1_000_000_000L;
        while (System.nanoTime() < end) {
            Thread.startVirtualThread(() -> request(backend, fixed));
            Thread.sleep(1_000 / REQUESTS_PER_SECOND);
        }
        System.out.printf(
                "%s: %d requests wait for an answer, %d were told that there is none%n",
                fixed ? "fixed" : "broken", waiting.get(), failed.sum());
        System.exit(0);
    }

    private static void request(ServerSocket backend, boolean fixed) {
        waiting.incrementAndGet();
        try (Socket socket = new Socket(backend.getInetAddress(), backend.getLocalPort())) {
            if (fixed) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
            }
            socket.getOutputStream().write("GET price\n".getBytes());
            socket.getInputStream().read();
        } catch (SocketTimeoutException e) {
            failed.increment();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            waiting.decrementAndGet();
        }
    }
}
