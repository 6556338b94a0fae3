// problem: All requests share one client object whose synchronized method waits for the remote answer, so they run
//     one after the other.
// place: DocumentClient.fetch
// remedy: Do the remote call outside the monitor, or use one connection per request or a pool of connections.

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Shows archived letters. The archive is an old system with one connection. */
public final class Archive {

    static final class DocumentClient {
        private final DataOutputStream out;
        private final DataInputStream in;

        DocumentClient(int port) throws IOException {
            var socket = new Socket(InetAddress.getLoopbackAddress(), port);
            out = new DataOutputStream(socket.getOutputStream());
            in = new DataInputStream(socket.getInputStream());
        }

        synchronized byte[] fetch(int document) throws IOException {
            out.writeInt(document);
            out.flush();
            byte[] text = new byte[in.readInt()];
            in.readFully(text);
            return text;
        }
    }

    /** The old system, on platform threads as if it were another machine: 40 ms for each document. */
    private static int startOldSystem() throws IOException {
        var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> {
            try (Socket socket = listener.accept()) {
                var in = new DataInputStream(socket.getInputStream());
                var out = new DataOutputStream(socket.getOutputStream());
                while (true) {
                    byte[] text = ("letter " + in.readInt()).getBytes();
                    Thread.sleep(40);
                    out.writeInt(text.length);
                    out.write(text);
                    out.flush();
                }
            } catch (IOException | InterruptedException e) {
                System.err.println(e);
            }
        });
        return listener.getLocalPort();
    }

    public static void main(String[] args) throws Exception {
        var client = new DocumentClient(startOldSystem());
        var shown = new LongAdder();
        try (var clerks = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                int clerk = i;
                clerks.submit(() -> {
                    for (int n = 0; ; n++) {
                        shown.add(client.fetch(clerk * 1_000 + n % 1_000).length);
                        Thread.sleep(25); // the clerk reads
                    }
                });
            }
        }
    }
}
