package dev.heddle.cli;

import dev.heddle.Go;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// A program of two goroutines that wait for each other's lock, and one that does a little. It prints how many
/// observers are connected for each line of its standard input, and ends with it.
final class Stuck {

    private Stuck() {}

    public static void main(String[] args) throws IOException {
        List<Lock> locks = List.of(new ReentrantLock(), new ReentrantLock());
        CountDownLatch bothHaveOne = new CountDownLatch(2);
        for (List<Lock> order : List.of(locks, locks.reversed())) {
            Go.go(() -> lockBoth(order, bothHaveOne));
        }
        Go.go(() -> {
            while (true) {
                Thread.sleep(20);
            }
        });
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        while (lines.readLine() != null) {
            System.out.println(Thread.getAllStackTraces().keySet().stream()
                    .filter(it -> it.getName().startsWith("heddle-observer-session"))
                    .count());
        }
    }

    private static void lockBoth(List<Lock> order, CountDownLatch bothHaveOne) throws InterruptedException {
        order.getFirst().lock();
        bothHaveOne.countDown();
        bothHaveOne.await();
        order.getLast().lock();
    }
}
