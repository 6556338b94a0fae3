package dev.heddle.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// An echo server with blocking sockets and a thread per connection, the usual style for virtual threads.
public final class EchoServer {

    private EchoServer() {}

    /// As [#serve], while as many threads as there are processors compute without a pause.
    ///
    /// @param starter runs a connection or a hog in its own thread
    public static void serveBesideHogs(Job job, Consumer<Connection> starter) throws IOException {
        AtomicBoolean stop = new AtomicBoolean();
        for (int i = 0; i < Integer.getInteger("heddle.procs", 1); i++) {
            starter.accept(() -> {
                while (!stop.get()) {
                    Thread.onSpinWait();
                }
            });
        }
        try {
            serve(job, starter);
        } finally {
            stop.set(true);
        }
    }

    /// Serves as many connections as the job's width until the client is done, and reports the client's figures.
    ///
    /// @param starter runs a connection in its own thread
    public static void serve(Job job, Consumer<Connection> starter) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 2 * job.width(), InetAddress.getLoopbackAddress())) {
            starter.accept(() -> acceptAll(server, job.width(), starter));
            report(job, job.ask("listening " + server.getLocalPort()));
        }
    }

    private static void acceptAll(ServerSocket server, int connections, Consumer<Connection> starter)
            throws IOException {
        try {
            for (int i = 0; i < connections; i++) {
                Socket socket = server.accept();
                starter.accept(() -> echo(socket));
            }
        } catch (SocketException e) {
            if (!server.isClosed()) { // otherwise the client left before this thread ever ran
                throw e;
            }
        }
    }

    /// Reports the client's answer: figures as [Job#line] writes them, or a sentence that says why there are none.
    private static void report(Job job, String answer) throws IOException {
        for (String figure : answer.split(" ")) {
            String[] parts = figure.split("=");
            try {
                job.figure(
                        parts[0], parts[1].equals("never") ? Double.POSITIVE_INFINITY : Double.parseDouble(parts[1]));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException _) {
                throw new IOException(answer);
            }
        }
    }

    /// The body of a thread of the server.
    @FunctionalInterface
    public interface Connection {
        void run() throws IOException;
    }

    private static void echo(Socket socket) throws IOException {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] buffer = new byte[4096];
            for (int length = in.read(buffer); length > 0; length = in.read(buffer)) {
                out.write(buffer, 0, length);
            }
        }
    }
}
