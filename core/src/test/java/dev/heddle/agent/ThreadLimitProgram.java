package dev.heddle.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/// Starts virtual threads while the only carrier that may exist waits for a socket. Says "ran" or "waited".
public final class ThreadLimitProgram {

    private ThreadLimitProgram() {}

    public static void main(String[] args) throws Exception {
        boolean ran = true;
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CountDownLatch accepting = new CountDownLatch(1);
            Thread.startVirtualThread(() -> {
                accepting.countDown();
                try (var _ = server.accept()) {
                    throw new IllegalStateException("a connection from nobody");
                } catch (IOException _) {
                    // the server was closed
                }
            });
            accepting.await();
            for (int i = 0; i < 100 && ran; i++) {
                Thread thread = Thread.startVirtualThread(() -> {});
                ran = thread.join(Duration.ofSeconds(Long.parseLong(args[0])));
                Thread.sleep(i % 10); // lets the carrier go back to its socket, or not
            }
        }
        System.out.println(ran ? "ran" : "waited");
        Runtime.getRuntime().halt(0);
    }
}
