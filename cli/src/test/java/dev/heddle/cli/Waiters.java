package dev.heddle.cli;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.io.IOException;

/// A program of three goroutines that wait for a channel, on the default scheduler, and one that sleeps, on another;
/// until its standard input ends.
final class Waiters {

    private Waiters() {}

    public static void main(String[] args) throws IOException {
        startThree();
        Scheduler.builder().name("other").procs(1).build().go(() -> Thread.sleep(1_000_000));
        System.out.println("ready");
        int _ = System.in.read();
    }

    /// They wait on a channel that nothing else refers to: no local variable of `main` keeps it reachable
    /// either.
    private static void startThree() {
        Chan<Integer> never = Chan.make();
        for (int i = 0; i < 3; i++) {
            Go.go(never::receive);
        }
    }
}
