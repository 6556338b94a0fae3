package dev.heddle.bench;

import dev.heddle.bench.Peer.Starter;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// What is measured: each runs once and checks its own result.
enum Program {
    /// One starts a million others and waits until all have ended.
    SPAWN_JOIN("spawn + join 1,000,000", 1_000_000) {
        @Override
        void run(Starter starter) throws InterruptedException {
            CountDownLatch done = new CountDownLatch(1);
            starter.start(() -> {
                AtomicInteger left = new AtomicInteger(operations);
                for (int i = 0; i < operations; i++) {
                    starter.start(() -> {
                        if (left.decrementAndGet() == 0) {
                            done.countDown();
                        }
                    });
                }
            });
            done.await();
        }
    },

    /// Two hand a turn to and fro by park and unpark.
    PING_PONG("ping-pong, park/unpark", 200_000) {
        @Override
        void run(Starter starter) throws InterruptedException {
            CountDownLatch known = new CountDownLatch(2);
            CountDownLatch done = new CountDownLatch(2);
            Thread[] pair = new Thread[2];
            AtomicInteger turn = new AtomicInteger();
            for (int i = 0; i < 2; i++) {
                int me = i;
                starter.start(() -> {
                    pair[me] = Thread.currentThread();
                    known.countDown();
                    awaitUninterrupted(known);
                    for (int round = 0; round < operations / 2; round++) {
                        while (turn.get() != me) {
                            LockSupport.park(turn);
                        }
                        turn.set(1 - me);
                        LockSupport.unpark(pair[1 - me]);
                    }
                    done.countDown();
                });
            }
            done.await();
        }
    },

    /// A tree of ten children each, a million leaves, summed up to the root.
    SKYNET("skynet, 1,000,000 leaves", 1_111_111) {
        @Override
        void run(Starter starter) throws InterruptedException {
            BlockingQueue<Long> result = new LinkedBlockingQueue<>();
            starter.start(() -> node(starter, 0, 1_000_000, result));
            long sum = result.take();
            if (sum != 499_999_500_000L) {
                throw new IllegalStateException("skynet added up to " + sum);
            }
        }
    };

    final String label;

    /// What a run is divided by.
    final int operations;

    Program(String label, int operations) {
        this.label = label;
        this.operations = operations;
    }

    abstract void run(Starter starter) throws InterruptedException;

    private static void node(Starter starter, long first, int leaves, BlockingQueue<Long> parent) {
        if (leaves == 1) {
            parent.add(first);
            return;
        }
        BlockingQueue<Long> own = new LinkedBlockingQueue<>();
        int share = leaves / 10;
        for (int child = 0; child < 10; child++) {
            long start = first + (long) child * share;
            starter.start(() -> node(starter, start, share, own));
        }
        long sum = 0;
        for (int child = 0; child < 10; child++) {
            sum += take(own);
        }
        parent.add(sum);
    }

    private static long take(BlockingQueue<Long> queue) {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
