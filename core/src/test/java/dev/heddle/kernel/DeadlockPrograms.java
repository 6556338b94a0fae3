package dev.heddle.kernel;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.jdk.Jdk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Programs of [DeadlockTest]: the first argument says which. Those that are not dead print a line when they end.
final class DeadlockPrograms {

    private static final long A_WHILE_MILLIS = 700;

    private DeadlockPrograms() {}

    static void main(String[] arguments) throws Throwable {
        Go.main(program(arguments[0]));
        System.out.println("main returned");
    }

    private static Go.Body program(String name) {
        return switch (name) {
            case "simple" -> () -> Chan.make().receive();
            case "locked" ->
                () -> {
                    Go.lockOSThread();
                    Chan.make().receive();
                };
            case "locked2" ->
                () -> {
                    Go.go(() -> {
                        Go.lockOSThread();
                        Chan.make().receive();
                    });
                    Thread.sleep(1);
                    Chan.make().receive();
                };
            case "goexit" ->
                () -> {
                    Go.Body others = () -> {
                        for (int i = 0; i < 10; i++) {
                            Go.gosched();
                        }
                    };
                    Go.go(others);
                    Go.go(others);
                    Go.goexit();
                };
            case "parked" -> LockSupport::park;
            case "threads" ->
                () -> {
                    for (int i = 0; i < 100; i++) {
                        Go.go(() -> {
                            Go.lockOSThread();
                            Chan.make().receive();
                        });
                    }
                    Chan.make().receive();
                };
            case "sleeper" -> () -> Thread.sleep(A_WHILE_MILLIS);
            case "input" ->
                () -> {
                    System.out.println("ready");
                    int _ = System.in.read();
                };
            case "socket" -> DeadlockPrograms::readSocket;
            case "platform" ->
                () -> {
                    Chan<Integer> values = Chan.make();
                    Thread.ofPlatform().daemon().start(() -> {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(A_WHILE_MILLIS));
                        sendQuietly(values);
                    });
                    values.receive();
                };
            case "delayed" ->
                () -> CompletableFuture.runAsync(
                                () -> {}, CompletableFuture.delayedExecutor(A_WHILE_MILLIS, TimeUnit.MILLISECONDS))
                        .get();
            case "stock" ->
                () -> {
                    // made by a platform thread it belongs to the JDK's scheduler
                    Chan<Integer> values = Chan.make();
                    Thread maker = Thread.ofPlatform()
                            .start(() -> Thread.ofVirtual().start(() -> {
                                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(A_WHILE_MILLIS));
                                sendQuietly(values);
                            }));
                    maker.join();
                    values.receive();
                };
            case "pinned" ->
                () -> {
                    Object monitor = new Object();
                    Jdk.pin();
                    synchronized (monitor) {
                        monitor.wait(A_WHILE_MILLIS);
                    }
                    Jdk.unpin();
                };
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static void sendQuietly(Chan<Integer> values) {
        try {
            values.send(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void readSocket() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.out.println(server.getLocalPort());
            try (Socket socket = server.accept()) {
                System.out.println("accepted");
                int _ = socket.getInputStream().read();
            }
        }
    }
}
