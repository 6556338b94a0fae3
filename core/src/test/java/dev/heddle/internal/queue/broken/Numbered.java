package dev.heddle.internal.queue.broken;

import java.util.List;
import java.util.stream.IntStream;

/// A numbered queue entry; running it does nothing.
public record Numbered(int id) implements Runnable {
    @Override
    public void run() {}

    /// The entries `from .. to - 1`.
    public static List<Runnable> range(int from, int to) {
        return IntStream.range(from, to).<Runnable>mapToObj(Numbered::new).toList();
    }
}
