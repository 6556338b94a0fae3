package dev.heddle.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/// An echo server with blocking sockets, a thread per connection: the way servers are written for virtual
/// threads.
public final class EchoServer {

    private EchoServer() {}

    /// Serves as many connections as the job's width until the caller says that his client is done.
    ///
    /// @param starter runs a connection in a thread of its own
    public static void serve(Job job, Consumer<Connection> starter) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 2 * job.width(), InetAddress.getLoopbackAddress())) {
            starter.accept(() -> {
                for (int i = 0; i < job.width(); i++) {
                    Socket socket = server.accept();
                    starter.accept(() -> echo(socket));
                }
            });
            String nanos = job.ask("listening " + server.getLocalPort());
            try {
                job.figure("echo", Double.parseDouble(nanos));
            } catch (NumberFormatException _) {
                throw new IOException(nanos);
            }
        }
    }

    /// What a thread of the server does.
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
