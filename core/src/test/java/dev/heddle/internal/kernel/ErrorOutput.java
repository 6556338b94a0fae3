package dev.heddle.internal.kernel;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// What is printed to System.err until this is closed. For tests of one JVM, which run one after the other.
final class ErrorOutput implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    ErrorOutput() {
        System.setErr(new PrintStream(printed, /* autoFlush= */ true, StandardCharsets.UTF_8));
    }

    /// How often `text` was printed.
    int count(String text) {
        return printed.toString(StandardCharsets.UTF_8).split(Pattern.quote(text), -1).length - 1;
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
