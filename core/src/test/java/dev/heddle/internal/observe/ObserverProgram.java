package dev.heddle.internal.observe;

import dev.heddle.Chan;
import dev.heddle.Go;
import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;

/// A program with some goroutines that waits for the end of its standard input, or for a deadlock.
final class ObserverProgram {

    private ObserverProgram() {}

    public static void main(String[] args) throws Throwable {
        switch (args[0]) {
            case "waits" -> {
                startGoroutines();
                System.out.println("ready");
                int _ = System.in.read();
            }
            case "handlesTheSignal" -> {
                Signal.handle(new Signal("URG"), _ -> System.out.println("own handler"));
                startGoroutines();
                System.out.println("ready");
                int _ = System.in.read();
            }
            case "deadlocks" ->
                Go.main(() -> {
                    System.out.println("ready");
                    int _ = System.in.read(); // the test observes meanwhile
                    Chan.make().receive();
                });
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void startGoroutines() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(3);
        Chan<Integer> never = Chan.make();
        for (int i = 0; i < 3; i++) {
            Go.go(() -> {
                begun.countDown();
                never.receive();
            });
        }
        begun.await();
    }
}
