package dev.heddle.testkit.bugs;

import dev.heddle.testkit.Bubble;

/// A program with a bug, and the same program without.
public record Bug(String name, Bubble.Body broken, Bubble.Body fixed) {

    /// Both versions in one program, as most are written here.
    @FunctionalInterface
    interface Program {
        void run(boolean isFixed) throws Exception;
    }

    static Bug of(String name, Program program) {
        return new Bug(name, _ -> program.run(false), _ -> program.run(true));
    }

    @Override
    public String toString() {
        return name;
    }

    /// Something that may be interrupted, though nothing interrupts it here.
    @FunctionalInterface
    interface Action {
        void run() throws InterruptedException;
    }

    static Thread start(Action action) {
        return Thread.startVirtualThread(() -> {
            try {
                action.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    /// Runs the actions at the same time, and waits for them.
    static void together(Action... actions) throws InterruptedException {
        Thread[] threads = new Thread[actions.length];
        for (int i = 0; i < actions.length; i++) {
            threads[i] = start(actions[i]);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void require(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
