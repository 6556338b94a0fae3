package dev.heddle.queue;

import java.util.List;
import java.util.stream.IntStream;

/// A numbered queue entry; running it does nothing.
record Entry(int id) implements Runnable {
    @Override
    public void run() {}

    static List<Runnable> range(int from, int to) {
        return IntStream.range(from, to).<Runnable>mapToObj(Entry::new).toList();
    }
}
