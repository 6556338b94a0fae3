package dev.heddle.agent;

/// An agent that uses virtual threads before Heddle's agent can be installed.
public final class EarlyThreadAgent {

    private EarlyThreadAgent() {}

    public static void premain(String options) throws InterruptedException {
        Thread.startVirtualThread(() -> {}).join();
    }
}
