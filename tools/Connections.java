import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Many open connections at once, each with a virtual thread at both ends, and a JVM for each end.
///
/// ```
/// java -javaagent:core/target/heddle.jar tools/Connections.java 10000       # with a JDK 25; ulimit -n above that
/// ```
///
/// Opens all connections, then sends bytes back and forth on all of them for some rounds. The server's JVM is started
/// with the same options.
public final class Connections {

    private static final int ROUNDS = 3;
    private static final int CONNECTING = 500;

    private Connections() {}

    public static void main(String[] args) throws Exception {
        if (args[0].equals("server")) {
            serve();
        } else {
            int failed = connect(Integer.parseInt(args[0]));
            System.exit(failed == 0 ? 0 : 1);
        }
    }

    /// Echoes all input, until the standard input of this process ends.
    private static void serve() throws IOException {
        ServerSocket server = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(() -> {
            while (true) {
                try {
                    Socket socket = server.accept();
                    Thread.startVirtualThread(() -> echo(socket));
                } catch (IOException e) {
                    return;
                }
            }
        });
        System.out.println(server.getLocalPort());
        while (System.in.read() >= 0) {
            // until the client JVM is done
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            for (int one = in.read(); one >= 0; one = in.read()) {
                out.write(one);
            }
        } catch (IOException e) {
            System.err.println("server: " + e);
        }
    }

    private static int connect(int connections) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(it -> !it.startsWith("--add-modules"))
                .forEach(command::add);
        command.addAll(List.of("tools/Connections.java", "server"));
        Process server = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var out = new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            return exchange(connections, Integer.parseInt(out.readLine()));
        } finally {
            server.destroy();
        }
    }

    private static int exchange(int connections, int port) throws InterruptedException {
        AtomicInteger good = new AtomicInteger();
        CountDownLatch open = new CountDownLatch(connections);
        CountDownLatch allOpen = new CountDownLatch(1);
        Semaphore connecting = new Semaphore(CONNECTING); // the server's backlog is finite
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < connections; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                try (Socket socket = new Socket()) {
                    connecting.acquire();
                    try {
                        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                        roundTrip(socket, 0);
                    } finally {
                        connecting.release();
                        open.countDown();
                    }
                    allOpen.await();
                    for (int round = 1; round <= ROUNDS; round++) {
                        roundTrip(socket, round);
                    }
                    good.incrementAndGet();
                } catch (IOException | InterruptedException e) {
                    System.err.println("client: " + e);
                }
            }));
        }
        open.await();
        long opened = System.nanoTime();
        allOpen.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.printf(
                "%d of %d connections good; opened in %d ms, %d rounds in %d ms%n",
                good.get(),
                connections,
                (opened - start) / 1_000_000,
                ROUNDS,
                (System.nanoTime() - opened) / 1_000_000);
        return connections - good.get();
    }

    private static void roundTrip(Socket socket, int one) throws IOException {
        socket.getOutputStream().write(one);
        if (socket.getInputStream().read() != one) {
            throw new IOException("another byte came back");
        }
    }
}
