package dev.heddle.bench.heddle;

import dev.heddle.Go;
import dev.heddle.bench.peer.Idiom;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// Goroutines and channels on Heddle.
public final class HeddleIdiom implements Idiom {

    @Override
    public void run(Program program, Job job) throws Exception {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Go.go(() -> {
            try {
                program.run(job);
                end.complete(null);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        end.get();
    }

    @Override
    public Map<String, Program> programs() {
        return Map.ofEntries(
                Map.entry("spawn", new Spawn()),
                Map.entry("pingpong", new PingPong()),
                Map.entry("buffered", new Buffered()),
                Map.entry("ring", new Ring()),
                Map.entry("skynet", new Skynet()),
                Map.entry("sieve", new Sieve()),
                Map.entry("yield", new Yield()),
                Map.entry("select", new SelectOfFour()),
                Map.entry("fanout", new FanOut()),
                Map.entry("fib", new Fib()),
                Map.entry("lock", new Lock()),
                Map.entry("sleepers", new Sleepers()),
                Map.entry("memory", new Memory()),
                Map.entry("hogs", new Hogs()),
                Map.entry("echo", new Echo()),
                Map.entry("busyecho", new BusyEcho()),
                Map.entry("blocking", new Blocking()));
    }
}
