package dev.heddle.bench.threads;

import dev.heddle.bench.peer.EchoServer;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.io.IOException;

/// An echo server with a virtual thread for each connection, beside threads that compute without a pause.
final class BusyEcho implements Program {

    @Override
    public void run(Job job) throws IOException {
        EchoServer.serveBesideHogs(job, Echo::start);
    }
}
