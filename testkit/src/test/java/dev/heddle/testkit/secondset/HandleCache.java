package dev.heddle.testkit.secondset;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Atomicity violation over two calls of a thread-safe class: a cache shares one open handle for each name, and closes
/// it with its last user. A user can find the handle before the last release and count itself after it.
class HandleCache {

    final ConcurrentMap<String, Handle> open = new ConcurrentHashMap<>();
    private final Queue<Handle> opened = new ConcurrentLinkedQueue<>();

    static void broken() throws Exception {
        new HandleCache().serve();
    }

    static void fixed() throws Exception {
        new AtomicHandleCache().serve();
    }

    Handle acquire(String name) {
        Handle handle = open.computeIfAbsent(name, this::openHandle);
        handle.users.incrementAndGet();
        return handle;
    }

    void release(Handle handle) {
        if (handle.users.decrementAndGet() == 0) {
            open.remove(handle.name);
            handle.closed = true;
        }
    }

    final Handle openHandle(String name) {
        var handle = new Handle(name);
        opened.add(handle);
        return handle;
    }

    final void serve() throws Exception {
        List<Future<String>> replies = new ArrayList<>();
        try (var requests = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String name : List.of("index", "index", "style")) {
                replies.add(requests.submit(() -> read(name)));
            }
        }
        for (Future<String> reply : replies) {
            reply.get();
        }
        if (!opened.stream().allMatch(handle -> handle.closed)) {
            throw new AssertionError("a handle stays open without users: " + open.keySet());
        }
    }

    private String read(String name) {
        Handle handle = acquire(name);
        try {
            return handle.content();
        } finally {
            release(handle);
        }
    }

    static final class Handle {
        final String name;
        final AtomicInteger users = new AtomicInteger();
        volatile boolean closed;

        Handle(String name) {
            this.name = name;
        }

        String content() {
            if (closed) {
                throw new IllegalStateException("the handle of " + name + " is closed");
            }
            return "content of " + name;
        }
    }

    /// The correction: the map's own atomic operations find and count in one step.
    private static final class AtomicHandleCache extends HandleCache {
        @Override
        Handle acquire(String name) {
            return open.compute(name, (key, shared) -> {
                Handle handle = shared == null ? openHandle(key) : shared;
                handle.users.incrementAndGet();
                return handle;
            });
        }

        @Override
        void release(Handle handle) {
            open.computeIfPresent(handle.name, (_, shared) -> {
                shared.closed = shared.users.decrementAndGet() == 0;
                return shared.closed ? null : shared;
            });
        }
    }
}
