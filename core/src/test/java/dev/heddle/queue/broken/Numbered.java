package dev.heddle.queue.broken;

/// A numbered queue entry; running it does nothing.
public record Numbered(int id) implements Runnable {
    @Override
    public void run() {}
}
