package dev.heddle.agent;

import dev.heddle.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Uses the first socket while a machine sleeps until a timer is due in an hour. Says "accepted" or "waited".
public final class FirstSocketProgram {

    private FirstSocketProgram() {}

    public static void main(String[] args) throws Exception {
        awaitIdle(Thread.startVirtualThread(() -> LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1))));
        CountDownLatch accepted = new CountDownLatch(1);
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            awaitIdle(Thread.startVirtualThread(() -> {
                try (var _ = server.accept()) {
                    accepted.countDown();
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            }));
            try (var _ = new Socket(server.getInetAddress(), server.getLocalPort())) {
                boolean isIn = accepted.await(Long.parseLong(args[0]), TimeUnit.SECONDS);
                System.out.println(isIn ? "accepted" : "waited");
            }
        }
        Runtime.getRuntime().halt(0);
    }

    /// Waits until the thread waits and the monitor sleeps: no machine passes by and polls.
    private static void awaitIdle(Thread thread) throws InterruptedException {
        while (thread.getState() == Thread.State.RUNNABLE
                || thread.getState() == Thread.State.NEW
                || !Scheduler.current().stats().monitorAsleep()) {
            Thread.sleep(1);
        }
    }
}
