package dev.heddle.agent;

/// A program that knows nothing of Heddle. With an argument it first waits for the end of its standard input.
public final class PlainProgram {

    private PlainProgram() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.in.readAllBytes();
        }
        Thread.startVirtualThread(() -> System.out.println("ran")).join();
    }
}
