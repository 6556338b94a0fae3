package dev.heddle.testkit.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What a test has started outside of its bubble and is allowed to wait for (`escapes = WAIT`): platform threads,
/// processes, and waits for sockets. While one of them lives, the clock follows real time.
final class Outside {

    private final List<Thread> threads = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private int socketWaits;

    void add(Thread platformThread) {
        threads.add(platformThread);
    }

    void add(Process process) {
        processes.add(process);
    }

    void beginSocketWait() {
        socketWaits++;
    }

    void endSocketWait() {
        socketWaits--;
    }

    /// Whether something outside may still act for the test.
    boolean isWorking() {
        threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        processes.removeIf(process -> !process.isAlive());
        return socketWaits > 0 || !threads.isEmpty() || !processes.isEmpty();
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (!threads.isEmpty()) {
            parts.add(threads.stream()
                    .map(thread -> "\"" + thread.getName() + "\"")
                    .collect(Collectors.joining(
                            ", ", threads.size() == 1 ? "platform thread " : "platform threads ", "")));
        }
        if (!processes.isEmpty()) {
            parts.add(processes.size() + " process(es)");
        }
        if (socketWaits > 0) {
            parts.add(socketWaits + " wait(s) for a socket");
        }
        return String.join(", ", parts);
    }
}
