package dev.heddle.agent;

import dev.heddle.Scheduler;

/// Installs Heddle by itself, first of all, and then once more, which is too late.
public final class SelfInstallingProgram {

    private SelfInstallingProgram() {}

    public static void main(String[] args) throws InterruptedException {
        Scheduler scheduler =
                Scheduler.builder().procs(2).name("ForkJoinPool-1").installAsDefault();
        Thread.startVirtualThread(() -> System.out.println("on Heddle: " + (Scheduler.current() == scheduler)))
                .join();
        try {
            Scheduler.builder().installAsDefault();
        } catch (IllegalStateException e) {
            System.out.println("again: " + e.getMessage());
        }
    }
}
