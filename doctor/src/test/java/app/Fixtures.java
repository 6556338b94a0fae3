package app;

import dev.heddle.Chan;
import dev.heddle.Go;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Code for the rules that read code, in a package of its own: what is Heddle's is above suspicion. Never run.
public final class Fixtures {

    private Fixtures() {}

    public static final class Spinner {
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

        void run() {
            while (true) {
                Runnable task = pop();
                if (task != null) {
                    task.run();
                }
            }
        }

        @Nullable
        Runnable pop() {
            return tasks.poll();
        }
    }

    public static final class Patient {
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final Semaphore available = new Semaphore(0);

        void run() throws InterruptedException {
            while (true) {
                available.acquire();
                Runnable task = tasks.poll();
                if (task != null) {
                    task.run();
                }
            }
        }
    }

    public static final class Yielder {
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

        void run() {
            while (true) {
                Runnable task = tasks.poll();
                if (task == null) {
                    Go.gosched();
                } else {
                    task.run();
                }
            }
        }
    }

    public static final class Computer {
        long state = 1;

        void run() {
            while (state != 0) {
                state = state * 31 + 7;
            }
        }
    }

    public static final class Asker {
        void run(Chan<String> chan) {
            String value = null;
            while (value == null) {
                value = chan.tryReceive();
            }
        }
    }

    /// As in the second of the seeds' listings.
    public static final class PlainRing {
        int head;
        int tail;
        final Object[] slots = new Object[256];

        void put(Object entry) {
            slots[tail % 256] = entry;
            tail++;
        }

        void steal(PlainRing out) {
            int n = (tail - head) / 2;
            for (int i = 0; i < n; i++) {
                out.slots[(out.tail + i) % 256] = slots[(head + i) % 256];
            }
            out.tail += n;
            head += n;
        }
    }

    public static final class AtomicRing {
        final AtomicInteger head = new AtomicInteger();
        int tail;
        final Object[] slots = new Object[256];

        void put(Object entry) {
            slots[tail % 256] = entry;
            tail++;
        }

        boolean steal(AtomicRing out) {
            int from = head.get();
            out.slots[out.tail % 256] = slots[from % 256];
            return head.compareAndSet(from, from + 1);
        }
    }

    public static final class LockedRing {
        int head;
        int tail;
        final Object[] slots = new Object[256];

        synchronized void put(Object entry) {
            slots[tail % 256] = entry;
            tail++;
        }

        synchronized void moveTo(LockedRing out) {
            out.slots[out.tail % 256] = slots[head % 256];
            out.tail++;
            head++;
        }
    }

    /// Made for one goroutine each: numbers that are added up at the end.
    public static final class Histogram {
        int count;
        int max;
        final long[] buckets = new long[64];

        void add(Histogram other) {
            for (int i = 0; i < buckets.length; i++) {
                buckets[i] += other.buckets[i];
            }
            count += other.count;
            max = Math.max(max, other.max);
        }
    }

    public static final class RingUser {
        void run(PlainRing ring, AtomicRing atomic, LockedRing locked, Histogram histogram, ArrayDeque<String> deque) {
            ring.put("");
            atomic.put("");
            locked.put("");
            histogram.add(new Histogram());
            deque.add("");
        }
    }
}
