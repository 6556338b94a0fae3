package dev.heddle.bench.threads;

import dev.heddle.bench.peer.EchoServer;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.io.IOException;
import java.io.UncheckedIOException;

/// An echo server with a virtual thread for each connection.
final class Echo implements Program {

    @Override
    public void run(Job job) throws IOException {
        EchoServer.serve(job, Echo::start);
    }

    static void start(EchoServer.Connection connection) {
        Thread.startVirtualThread(() -> {
            try {
                connection.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
