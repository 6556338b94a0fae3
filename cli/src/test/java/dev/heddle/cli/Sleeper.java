package dev.heddle.cli;

import java.io.IOException;

/// A program without Heddle that does nothing until its standard input ends.
final class Sleeper {

    private Sleeper() {}

    public static void main(String[] args) throws IOException {
        System.out.println("ready");
        int _ = System.in.read();
    }
}
