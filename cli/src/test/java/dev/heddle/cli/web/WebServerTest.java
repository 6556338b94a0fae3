package dev.heddle.cli.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The server against clients that are hostile, slow or many. They speak through plain sockets, so that nothing
/// corrects what they send.
final class WebServerTest {

    private static final int PATIENCE_MILLIS = 120_000;

    private final AtomicInteger answered = new AtomicInteger();
    private final Assets assets = new Assets();
    private final WebServer server = new WebServer(0, (method, path, query) -> {
        answered.incrementAndGet();
        Reply file = assets.at(path);
        return file == null ? Reply.sentence(Reply.NOT_FOUND, "There is no such page.") : file;
    });
    private final URI url = URI.create(server.url());

    WebServerTest() throws IOException {}

    @AfterEach
    void close() {
        server.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), url.getPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// What comes until the server closes the connection. A connection that it resets has said nothing.
    private static String rest(Socket socket) throws IOException {
        try (InputStream in = socket.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException _) {
            return "";
        }
    }

    private static String head(String line) {
        return line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    }

    private String ask(String line) throws IOException {
        try (Socket socket = connect()) {
            send(socket, head(line.replace("TOKEN/", url.getPath().substring(1))) + "\r\n");
            return rest(socket);
        }
    }

    @Test
    void thePageIsServedWithStrictRules() throws IOException {
        assertThat(ask("GET /TOKEN/"))
                .startsWith("HTTP/1.1 200 ")
                .containsIgnoringCase("Content-Security-Policy: default-src 'none'; script-src 'self'; ")
                .containsIgnoringCase("Cache-Control: no-store\r\n")
                .containsIgnoringCase("Referrer-Policy: no-referrer\r\n")
                .containsIgnoringCase("X-Content-Type-Options: nosniff\r\n")
                .contains("<title>heddle web</title>");
        assertThat(ask("GET /TOKEN/main.js")).startsWith("HTTP/1.1 200 ").contains("text/javascript");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /",
                "GET /favicon.ico",
                "GET /wrong-token/main.js",
                "POST /wrong-token/leave",
                "HEAD /wrong-token/",
                "GET /TOKEN/../../../../etc/passwd",
                "GET /TOKEN/..%2f..%2fetc/passwd",
                "GET /TOKEN/%2e%2e/main.js",
                "GET /TOKEN//etc/passwd",
                "GET /TOKEN/./main.js",
                "GET /TOKEN/package-info.class",
                "GET /TOKEN/index.html/..",
                "GET /TOKEN/main.js%00",
                "GET /TOKEN/Gate.class"
            })
    void nothingElseIs(String line) throws IOException {
        assertThat(ask(line))
                .containsPattern("^HTTP/1.1 (403|404) ")
                .doesNotContain("root:")
                .doesNotContain("import ");
    }

    @Test
    void aForeignNameOfThisServerIsRefused() throws IOException {
        try (Socket socket = connect()) {
            send(socket, "GET " + url.getPath() + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
            assertThat(rest(socket)).startsWith("HTTP/1.1 403 ").contains("127.0.0.1 and localhost only");
        }
        assertThat(answered).hasValue(0);
    }

    @Test
    void aHugeRequestIsCutOff() throws IOException {
        String ofOneHeader = head("GET " + url.getPath()) + "X: " + "x".repeat(1_000_000);
        String ofManyHeaders = head("GET " + url.getPath()) + "X: y\r\n".repeat(100_000);
        String ofOneLine = "GET " + url.getPath() + "x".repeat(1_000_000);
        for (String huge : List.of(ofOneHeader, ofManyHeaders, ofOneLine)) {
            try (Socket socket = connect()) {
                try {
                    send(socket, huge);
                } catch (SocketException _) {
                    // cut off while it is sent
                }
                assertThat(rest(socket)).doesNotContain("200 OK");
            }
        }
        assertThat(answered).hasValue(0);
        assertThat(ask("GET /TOKEN/")).startsWith("HTTP/1.1 200 ");
    }

    /// It sends one byte a second, and never ends. The server gives it 5 seconds.
    @Test
    void aSlowClientDelaysNoOtherAndIsCutOff() throws IOException, InterruptedException {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Socket socket = connect();
            send(socket, "GET " + url.getPath() + " HT");
            slow.add(socket);
        }
        assertThat(ask("GET /TOKEN/")).startsWith("HTTP/1.1 200 ");
        Thread dripping = Thread.startVirtualThread(() -> {
            try {
                while (true) {
                    for (Socket socket : slow) {
                        send(socket, "x");
                    }
                    Thread.sleep(1000);
                }
            } catch (IOException | InterruptedException _) {
                // cut off, or the test is over
            }
        });
        for (Socket socket : slow) {
            assertThat(rest(socket)).doesNotContain("200 OK");
            socket.close();
        }
        dripping.interrupt();
        dripping.join();
    }

    @Test
    void aThousandConnectionsAreBounded() throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 1000; i++) {
                open.add(connect());
            }
            int isOpen = 0;
            for (Socket socket : open) {
                isOpen += isAnswered(socket) ? 1 : 0;
            }
            assertThat(isOpen).isBetween(1, Limits.CONNECTIONS);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
        Awaitility.await().untilAsserted(() -> assertThat(ask("GET /TOKEN/")).startsWith("HTTP/1.1 200 "));
    }

    /// Whether the server still has this connection. It answers and keeps those below its limit.
    private boolean isAnswered(Socket socket) {
        try {
            send(socket, "GET " + url.getPath() + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            return socket.getInputStream().read() == 'H';
        } catch (SocketException _) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void onlyThisMachineReachesIt() throws SocketException {
        List<InetAddress> others = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(it -> !it.isLoopbackAddress())
                .toList();
        for (InetAddress other : others) {
            assertThatThrownBy(() -> new Socket().connect(new InetSocketAddress(other, url.getPort()), PATIENCE_MILLIS))
                    .isInstanceOf(IOException.class);
        }
        assertThat(url.getHost()).isEqualTo("127.0.0.1");
    }

    @Test
    void aPortThatIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatThrownBy(() -> new WebServer(taken.getLocalPort(), (_, _, _) -> Reply.json(null)).close())
                    .isInstanceOf(IOException.class)
                    .hasMessage("port " + taken.getLocalPort()
                            + " is in use: choose another one with --port, or leave --port out.");
        }
    }
}
