package dev.heddle.testkit.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What may work for a test outside of its bubble: platform threads and processes that it has started and waits for
/// sockets, if that is allowed (`escapes = WAIT`), and threads that were there before and that it has woken.
final class Outside {

    /// For threads that work on for ever.
    private static final long HELPERS_LIMIT_NANOS = 1_000_000_000;

    private final List<Thread> threads = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private final Helpers helpers = new Helpers();
    private int socketWaits;

    void add(Thread platformThread) {
        threads.add(platformThread);
    }

    void add(Process process) {
        processes.add(process);
    }

    void addHelper(Thread woken, String place) {
        helpers.add(woken, place);
    }

    /// Called at the end of a schedule. A thread that is still busy in the next one would not have to be woken, and
    /// so would not be noticed.
    void awaitHelpers() {
        helpers.await(HELPERS_LIMIT_NANOS);
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
        return socketWaits > 0 || !threads.isEmpty() || !processes.isEmpty() || helpers.isAnyBusy();
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
        if (!helpers.toString().isEmpty()) {
            parts.add(helpers.toString());
        }
        return String.join(", ", parts);
    }
}
