package dev.heddle.bench.jox;

import dev.heddle.bench.peer.Idiom;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import dev.heddle.bench.threads.ThreadsIdiom;
import java.util.Map;

/// Channels of Jox. Workloads without channels would be the same programs as without Jox, so they are left out.
public final class JoxIdiom implements Idiom {

    private final ThreadsIdiom threads = new ThreadsIdiom();

    @Override
    public void run(Program program, Job job) throws Exception {
        threads.run(program, job);
    }

    @Override
    public Map<String, Program> programs() {
        return Map.of(
                "pingpong", new PingPong(),
                "buffered", new Buffered(),
                "ring", new Ring(),
                "skynet", new Skynet(),
                "sieve", new Sieve(),
                "select", new SelectOfFour(),
                "fanout", new FanOut());
    }
}
