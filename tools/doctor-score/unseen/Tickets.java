// problem: A cache in a ThreadLocal gives each of thousands of virtual threads a large buffer of its own, so the heap
//     is full of buffers that are used once.
// place: Buffers.mine
// place: Tickets.render
// remedy: Use no ThreadLocal cache on virtual threads: allocate what is needed, or take buffers from a small shared
//     pool.

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Renders tickets; 3,000 customers have an open order each, and every now and then it changes. */
public final class Tickets {

    /** A scratch buffer for each thread, so that rendering allocates nothing: it was right for a pool of 16 threads. */
    static final class Buffers {
        private static final ThreadLocal<byte[]> SCRATCH = ThreadLocal.withInitial(() -> new byte[64 << 10]);

        static byte[] mine() {
            return SCRATCH.get();
        }
    }

    private static final LongAdder bytes = new LongAdder();

    private static int render(int order, int version) {
        byte[] scratch = Buffers.mine();
        byte[] text = ("ticket " + order + ", version " + version).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i + text.length <= 4_096; i += text.length) {
            System.arraycopy(text, 0, scratch, i, text.length);
        }
        bytes.add(text.length);
        return scratch[text.length - 1];
    }

    public static void main(String[] args) throws Exception {
        try (var orders = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3_000; i++) {
                int order = i;
                orders.submit(() -> {
                    for (int version = 0; ; version++) {
                        render(order, version);
                        Thread.sleep(2_000 + order % 500); // until the customer changes something
                    }
                });
            }
        }
    }
}
