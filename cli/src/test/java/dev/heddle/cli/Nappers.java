package dev.heddle.cli;

import dev.heddle.Go;
import java.io.IOException;

/// A program of two goroutines that sleep again and again, until its standard input ends.
final class Nappers {

    private Nappers() {}

    public static void main(String[] args) throws IOException {
        Go.go(Nappers::nap);
        Go.go(Nappers::nap);
        System.out.println("ready");
        int _ = System.in.read();
    }

    private static void nap() throws InterruptedException {
        while (true) {
            Thread.sleep(1);
        }
    }
}
