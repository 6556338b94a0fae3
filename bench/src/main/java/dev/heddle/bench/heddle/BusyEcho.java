package dev.heddle.bench.heddle;

import dev.heddle.Go;
import dev.heddle.bench.peer.EchoServer;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.io.IOException;

/// An echo server with a goroutine for each connection, beside goroutines that compute without a pause.
final class BusyEcho implements Program {

    @Override
    public void run(Job job) throws IOException {
        EchoServer.serveBesideHogs(job, connection -> Go.go(connection::run));
    }
}
