package dev.heddle.agent;

import dev.heddle.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// What can happen to sockets of virtual threads, one line each. The answers are the same whoever polls the sockets.
public final class SocketsProgram {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private SocketsProgram() {}

    public static void main(String[] args) throws Exception {
        say("64 connections echo", SocketsProgram::echoes);
        say("a read times out", SocketsProgram::readTimesOut);
        say("close wakes the reader", SocketsProgram::closeWakesReader);
        say("close wakes accept", SocketsProgram::closeWakesAccept);
        say("the peer ends, and resets", SocketsProgram::peerEndsAndResets);
        say("a writer waits for room", SocketsProgram::writerWaitsForRoom);
        say("descriptors are used again", SocketsProgram::descriptorsAreReused);
        say("interrupt closes a channel", SocketsProgram::interruptClosesChannel);
        say("a selector in a virtual thread", SocketsProgram::selectorWakes);
        say("1000 connections wait and are all woken", SocketsProgram::manyConnections);
        say("a connection while every processor computes", SocketsProgram::whileAllCompute);
        say("timers while sockets wait", SocketsProgram::timersWhileSocketsWait);
        say("a connection after all was quiet", SocketsProgram::afterQuiet);
        say("idle costs nothing", SocketsProgram::idleCostsNothing);
        Scheduler scheduler = Scheduler.current();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (scheduler.stats().live() != 0 && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
        System.out.println("threads left: " + scheduler.stats().live());
        System.out.println("safety net: " + scheduler.stats().safetyNet());
    }

    private static Object echoes() throws Exception {
        try (var server = new EchoServer()) {
            List<CompletableFuture<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                clients.add(start(() -> {
                    try (Socket socket = server.connect()) {
                        return echo(socket, 50);
                    }
                }));
            }
            int right = 0;
            for (var client : clients) {
                right += get(client);
            }
            return right;
        }
    }

    private static Object readTimesOut() throws Exception {
        try (var server = new EchoServer()) {
            return inVirtualThread(() -> {
                try (Socket socket = server.connect()) {
                    socket.setSoTimeout(30);
                    long start = System.nanoTime();
                    Object first = failure(() -> socket.getInputStream().read());
                    boolean inTime = System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(30);
                    socket.setSoTimeout(60_000);
                    return first + " " + inTime + " " + echo(socket, 3);
                }
            });
        }
    }

    private static Object closeWakesReader() throws Exception {
        try (var server = new EchoServer();
                Socket socket = server.connect()) {
            Thread[] reader = new Thread[1];
            CountDownLatch started = new CountDownLatch(1);
            CompletableFuture<Object> read = start(() -> {
                reader[0] = Thread.currentThread();
                started.countDown();
                return failure(() -> socket.getInputStream().read());
            });
            started.await();
            awaitWaiting(reader[0]);
            socket.close();
            return get(read);
        }
    }

    private static Object closeWakesAccept() throws Exception {
        try (var server = new ServerSocket(0, 50, LOOPBACK)) {
            Thread[] acceptor = new Thread[1];
            CountDownLatch started = new CountDownLatch(1);
            CompletableFuture<Object> accept = start(() -> {
                acceptor[0] = Thread.currentThread();
                started.countDown();
                return failure(server::accept);
            });
            started.await();
            awaitWaiting(acceptor[0]);
            server.close();
            return get(accept);
        }
    }

    private static Object peerEndsAndResets() throws Exception {
        try (var server = new ServerSocket(0, 50, LOOPBACK)) {
            CompletableFuture<Object> peer = start(() -> {
                server.accept().close();
                Socket second = server.accept();
                second.getInputStream().read();
                second.setSoLinger(true, 0); // reset, half-open for the other side until it reads
                second.close();
                return "";
            });
            Object seen = inVirtualThread(() -> {
                Object end;
                try (Socket socket = new Socket(LOOPBACK, server.getLocalPort())) {
                    end = socket.getInputStream().read();
                }
                try (Socket socket = new Socket(LOOPBACK, server.getLocalPort())) {
                    socket.getOutputStream().write(1);
                    return end + " " + failure(() -> socket.getInputStream().read());
                }
            });
            get(peer);
            return seen;
        }
    }

    private static Object writerWaitsForRoom() throws Exception {
        int total = 8 << 20; // more than the buffers of both sides hold
        try (var server = new ServerSocket(0, 50, LOOPBACK)) {
            CompletableFuture<Object> writer = start(() -> {
                try (Socket socket = new Socket(LOOPBACK, server.getLocalPort())) {
                    socket.getOutputStream().write(new byte[total]);
                    return "";
                }
            });
            Object count = inVirtualThread(() -> {
                try (Socket socket = server.accept()) {
                    Thread.sleep(50); // lets the writer fill the buffers; the answer does not depend on it
                    return socket.getInputStream().readAllBytes().length - total;
                }
            });
            get(writer);
            return count;
        }
    }

    private static Object descriptorsAreReused() throws Exception {
        try (var server = new EchoServer()) {
            return inVirtualThread(() -> {
                int right = 0;
                for (int i = 0; i < 200; i++) {
                    try (Socket socket = server.connect()) {
                        if (i % 4 == 0) {
                            socket.setSoTimeout(1);
                            failure(() -> socket.getInputStream().read()); // leaves a registration behind, or not
                            socket.setSoTimeout(60_000);
                        }
                        right += echo(socket, 1);
                    }
                }
                return right;
            });
        }
    }

    private static Object interruptClosesChannel() throws Exception {
        Pipe pipe = Pipe.open();
        Thread[] reader = new Thread[1];
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<Object> read = start(() -> {
            reader[0] = Thread.currentThread();
            started.countDown();
            return failure(() -> pipe.source().read(ByteBuffer.allocate(1)));
        });
        started.await();
        awaitWaiting(reader[0]);
        reader[0].interrupt();
        pipe.sink().close();
        return get(read);
    }

    private static Object selectorWakes() throws Exception {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        CompletableFuture<Object> selected = start(() -> {
            try (Selector selector = Selector.open()) {
                pipe.source().register(selector, SelectionKey.OP_READ);
                return selector.select(60_000);
            }
        });
        pipe.sink().write(ByteBuffer.allocate(1));
        Object number = get(selected);
        pipe.sink().close();
        pipe.source().close();
        return number;
    }

    private static Object manyConnections() throws Exception {
        int count = 1000;
        try (var server = new ServerSocket(0, count, LOOPBACK)) {
            List<Socket> accepted = new ArrayList<>();
            CompletableFuture<Object> acceptor = start(() -> {
                for (int i = 0; i < count; i++) {
                    accepted.add(server.accept());
                }
                return "";
            });
            List<CompletableFuture<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                clients.add(start(() -> {
                    try (Socket socket = new Socket(LOOPBACK, server.getLocalPort())) {
                        return socket.getInputStream().read();
                    }
                }));
            }
            get(acceptor);
            for (Socket socket : accepted) {
                socket.getOutputStream().write(1);
            }
            int woken = 0;
            for (var client : clients) {
                woken += get(client);
            }
            for (Socket socket : accepted) {
                socket.close();
            }
            return woken;
        }
    }

    private static Object whileAllCompute() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<CompletableFuture<Object>> hogs = new ArrayList<>();
        for (int i = 0; i < 2 * Scheduler.current().procs(); i++) {
            hogs.add(start(() -> {
                long sum = 0;
                while (!stop.get()) {
                    sum += ThreadLocalRandom.current().nextInt();
                }
                return sum;
            }));
        }
        try (var server = new EchoServer();
                Socket socket = server.connect()) {
            return echo(socket, 5);
        } finally {
            stop.set(true);
            for (var hog : hogs) {
                get(hog);
            }
        }
    }

    private static Object timersWhileSocketsWait() throws Exception {
        try (var server = new EchoServer();
                Socket socket = server.connect()) {
            CompletableFuture<Object> reader =
                    start(() -> failure(() -> socket.getInputStream().read()));
            int tooShort = inVirtualThread(() -> {
                int count = 0;
                for (int millis = 1; millis <= 20; millis++) {
                    long start = System.nanoTime();
                    Thread.sleep(millis);
                    count += System.nanoTime() - start < millis * 1_000_000L ? 1 : 0;
                }
                return count;
            });
            socket.close();
            get(reader);
            return tooShort;
        }
    }

    private static Object afterQuiet() throws Exception {
        try (var server = new EchoServer()) {
            Thread.sleep(1500); // long enough for the system monitor to sleep deeply
            try (Socket socket = server.connect()) {
                return echo(socket, 1);
            }
        }
    }

    private static Object idleCostsNothing() throws Exception {
        try (var server = new EchoServer()) {
            Scheduler scheduler = Scheduler.current();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!scheduler.stats().monitorAsleep() && System.nanoTime() < deadline) {
                Thread.sleep(1); // the monitor sleeps once no processor has left the idle list for a while
            }
            var cpu = ProcessHandle.current();
            long before = cpu.info().totalCpuDuration().orElseThrow().toMillis();
            Thread.sleep(1000);
            long used = cpu.info().totalCpuDuration().orElseThrow().toMillis() - before;
            if (!scheduler.stats().monitorAsleep()) {
                return "a processor is in use";
            }
            return used <= 200 ? "little" : used + " ms in a second";
        }
    }

    // ---- helpers

    private static final class EchoServer implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 200, LOOPBACK);
        private final Thread acceptor = Thread.startVirtualThread(this::accept);

        EchoServer() throws IOException {}

        private void accept() {
            try {
                while (true) {
                    Socket socket = server.accept();
                    Thread.startVirtualThread(() -> serve(socket));
                }
            } catch (SocketException _) {
                // closed
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void serve(Socket socket) {
            try (socket) {
                InputStream in = socket.getInputStream();
                OutputStream out = socket.getOutputStream();
                for (int next = in.read(); next >= 0; next = in.read()) {
                    out.write(next);
                }
            } catch (IOException _) {
                // the client went away
            }
        }

        Socket connect() throws IOException {
            return new Socket(LOOPBACK, server.getLocalPort());
        }

        @Override
        public void close() throws IOException, InterruptedException {
            server.close();
            acceptor.join();
        }
    }

    /// How many of so many bytes came back.
    private static int echo(Socket socket, int count) throws IOException {
        int right = 0;
        for (int i = 0; i < count; i++) {
            socket.getOutputStream().write(i);
            right += socket.getInputStream().read() == i ? 1 : 0;
        }
        return right;
    }

    private static void awaitWaiting(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
    }

    private static String failure(Callable<?> body) throws Exception {
        try {
            return "none: " + body.call();
        } catch (SocketTimeoutException | SocketException | ClosedByInterruptException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static <T> CompletableFuture<T> start(Callable<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                answer.complete(question.call());
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(100, TimeUnit.SECONDS);
    }

    private static <T> T inVirtualThread(Callable<T> question) throws Exception {
        return get(start(question));
    }

    private static void say(String what, Callable<Object> question) {
        Object answer;
        try {
            answer = question.call();
        } catch (Throwable e) {
            answer = "FAILED " + e;
        }
        System.out.println(what + ": " + answer);
    }
}
