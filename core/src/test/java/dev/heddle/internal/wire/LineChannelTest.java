package dev.heddle.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public final class LineChannelTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(20);

    @TempDir
    private Path folder;

    private SocketChannel raw;
    private LineChannel lines;

    @BeforeEach
    void connect() throws IOException {
        var address = UnixDomainSocketAddress.of(folder.resolve("s"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            raw = SocketChannel.open(address);
            lines = new LineChannel(server.accept());
        }
    }

    @AfterEach
    void close() throws IOException {
        raw.close();
        lines.close();
    }

    private void send(String text) throws IOException {
        raw.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void linesArriveOneByOneAndThenTheEnd() throws IOException {
        send("\u00e9ne\ntwo\n\nrest");
        lines.awaitInput();

        assertThat(lines.readLine(100, LONG)).isEqualTo("\u00e9ne");
        assertThat(lines.readLine(100, LONG)).isEqualTo("two");
        assertThat(lines.readLine(100, LONG)).isEmpty();
        assertThat(lines.isClosedByPeer()).isFalse();
        raw.close();
        assertThat(lines.isClosedByPeer()).isTrue();
        assertThat(lines.readLine(100, LONG)).isNull();
    }

    @Test
    void aLineThatDoesNotEndInTimeIsRefused() throws IOException {
        send("begin");

        assertThatThrownBy(() -> lines.readLine(100, SHORT)).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void aLineThatIsTooLongIsRefused() throws IOException {
        send("x".repeat(30_000));

        assertThatThrownBy(() -> lines.readLine(20_000, LONG))
                .isInstanceOf(IOException.class)
                .hasMessage("a line has more than 20000 bytes");
    }

    @Test
    void aReaderThatDoesNotReadIsGivenUp() {
        assertThatThrownBy(() -> lines.writeLine("x".repeat(10 << 20), SHORT))
                .isInstanceOf(SocketTimeoutException.class);
    }
}
