package dev.heddle.internal.queue.broken;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Owner and two thieves at full speed on a small queue: does every entry come out exactly once?
public final class ExactlyOnce {
    private ExactlyOnce() {}

    /// Passes `total` entries through queues of `capacity` slots and returns the first violation, or null.
    public static @Nullable String run(IntFunction<RacyQueue> queues, int capacity, int total) throws Exception {
        var owner = queues.apply(capacity);
        var done = new AtomicBoolean();
        var started = new CountDownLatch(2);
        var logs = List.of(new Log(total), new Log(total), new Log(total));
        var thieves = new ArrayList<Thread>();
        for (int i = 1; i <= 2; i++) {
            var log = logs.get(i);
            thieves.add(Thread.ofPlatform().daemon().start(() -> {
                started.countDown();
                steal(owner, queues.apply(capacity), log, done);
            }));
        }
        started.await();
        var log = logs.get(0);
        for (int i = 0; i < total; i++) {
            var entry = new Numbered(i);
            for (int attempts = 0; !owner.put(entry, (i & 3) == 0); attempts++) {
                if (attempts == 1_000_000) {
                    done.set(true);
                    return "the queue stays full for ever";
                }
                log.add(owner.get());
            }
            if ((i & 7) == 0) {
                log.addIfAny(owner.get());
            }
        }
        for (Runnable r = owner.get(); r != null; r = owner.get()) {
            log.add(r);
        }
        owner.spilled().forEach(log::add);
        done.set(true);
        for (var thief : thieves) {
            thief.join();
        }
        for (int i = 0; i < total; i++) {
            int times = 0;
            for (var each : logs) {
                times += each.seen[i];
            }
            if (times != 1) {
                return "entry " + i + " of " + total + " came out " + times + " times";
            }
        }
        return null;
    }

    private static void steal(RacyQueue victim, RacyQueue own, Log log, AtomicBoolean done) {
        for (boolean isLast = false; ; ) {
            var entry = own.get();
            if (entry == null) {
                entry = own.stealFrom(victim, /* includeRunNext= */ true);
            }
            if (entry != null) {
                log.add(entry);
            } else if (isLast) {
                return;
            } else {
                isLast = done.get(); // once more after the owner has emptied its queue
                Thread.onSpinWait();
            }
        }
    }

    private static final class Log {
        final byte[] seen;

        Log(int total) {
            seen = new byte[total];
        }

        void addIfAny(@Nullable Runnable entry) {
            if (entry != null) {
                add(entry);
            }
        }

        void add(@Nullable Runnable entry) {
            if (entry != null) { // a null out of a broken queue is a lost entry, and will be missing
                int id = ((Numbered) entry).id();
                seen[id] = (byte) Math.min(100, seen[id] + 1);
            }
        }
    }
}
