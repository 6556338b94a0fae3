package dev.heddle.bench.threads;

import dev.heddle.bench.peer.Idiom;
import dev.heddle.bench.peer.Job;
import dev.heddle.bench.peer.Program;
import java.util.Map;
import java.util.concurrent.FutureTask;

/// Plain virtual threads and `java.util.concurrent`, on whichever scheduler the JVM has.
public final class ThreadsIdiom implements Idiom {

    @Override
    public void run(Program program, Job job) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> {
            program.run(job);
            return null;
        });
        Thread.startVirtualThread(task);
        task.get();
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
                Map.entry("select", new Merge()),
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
