package dev.heddle.agent;

/// A program that knows nothing of Heddle. With an argument it says that it waits, and waits for the end of its
/// standard input first.
public final class PlainProgram {

    private PlainProgram() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.out.println("waits");
            System.in.readAllBytes();
        }
        Thread.startVirtualThread(() -> System.out.println("ran")).join();
    }
}
