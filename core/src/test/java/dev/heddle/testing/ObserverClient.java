package dev.heddle.testing;

import dev.heddle.internal.wire.Json;
import dev.heddle.internal.wire.JsonReader;
import dev.heddle.internal.wire.LineChannel;
import dev.heddle.internal.wire.Request;
import dev.heddle.internal.wire.SocketName;
import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// A plain client of the socket of a child JVM: what it sends and gets is JSON, unlike that of Heddle's commands.
public final class ObserverClient implements Closeable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final LineChannel lines;

    private ObserverClient(LineChannel lines) {
        this.lines = lines;
    }

    /// Makes the child open its socket, and connects to it.
    public static ObserverClient connect(LiveJvm child) throws IOException, InterruptedException {
        child.signal("URG");
        Path socket = socketOf(child);
        Awaitility.await().until(() -> isListening(socket));
        return new ObserverClient(new LineChannel(SocketChannel.open(UnixDomainSocketAddress.of(socket))));
    }

    private static boolean isListening(Path socket) {
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /// Where the child has its socket, unless a setting or a read-only `/tmp` says otherwise.
    public static Path socketOf(LiveJvm child) throws IOException {
        Path process = Path.of("/proc", Long.toString(child.pid()));
        int user = (int) Files.getAttribute(process, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        return SocketName.PARENTS
                .getFirst()
                .resolve(SocketName.DIRECTORY_PREFIX + user)
                .resolve(new SocketName(child.pid(), SocketName.namespaceOf(process)).file());
    }

    public void send(String line) throws IOException {
        lines.writeLine(line, PATIENCE);
    }

    /// The next line, as JSON; null at the end of the connection.
    public @Nullable Map<?, ?> read() throws IOException {
        String line = lines.readLine(Request.MAX_ANSWER_BYTES, PATIENCE);
        return line == null ? null : (Map<?, ?>) JsonReader.read(line);
    }

    /// The items of the answer to a question.
    public List<@Nullable Object> ask(Request request) throws IOException {
        send(Json.compact(request));
        List<@Nullable Object> items = new ArrayList<>();
        for (Map<?, ?> line = read(); line != null && !line.containsKey("done"); line = read()) {
            if (line.containsKey("error")) {
                throw new IOException(String.valueOf(line.get("error")));
            }
            if (line.containsKey("item")) {
                items.add(line.get("item"));
            }
        }
        return items;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
