package dev.heddle.bench;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.util.concurrent.ThreadFactory;

/// Who runs the programs: each starts concurrent things in its own way.
enum Peer {
    HEDDLE_GOROUTINES("Heddle goroutines") {
        @Override
        Starter starter(int procs) {
            Scheduler scheduler = Scheduler.builder().procs(procs).build();
            return body -> {
                if (Thread.currentThread().isVirtual()) {
                    Go.go(body::run);
                } else {
                    scheduler.go(body::run);
                }
            };
        }
    },
    HEDDLE_THREADS("Heddle virtual threads") {
        @Override
        Starter starter(int procs) {
            ThreadFactory factory = Scheduler.builder().procs(procs).build().threadFactory();
            return body -> factory.newThread(body).start();
        }
    },
    STOCK_THREADS("stock virtual threads") {
        @Override
        Starter starter(int procs) {
            return Thread::startVirtualThread;
        }
    };

    /// How it is called in the table.
    final String label;

    Peer(String label) {
        this.label = label;
    }

    /// Starts `body` to run concurrently with the caller, who may be any thread.
    @FunctionalInterface
    interface Starter {
        void start(Runnable body);
    }

    abstract Starter starter(int procs);
}
