// healthy: A batch that computes and does nothing else: one virtual thread for each processor, without a pause. No
//     other thread waits for a processor, so nothing has to be changed.

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Hashes blocks, each with the hash of the one before, on all processors. */
public final class Batch {

    private static final LongAdder blocks = new LongAdder();

    private static String chain(int seed) throws Exception {
        var digest = MessageDigest.getInstance("SHA-256");
        byte[] block = new byte[8 << 10];
        block[0] = (byte) seed;
        for (long n = 0; n < Long.MAX_VALUE; n++) {
            byte[] hash = digest.digest(block);
            System.arraycopy(hash, 0, block, (int) (n % 200) * 32, hash.length);
            blocks.increment();
        }
        return HexFormat.of().formatHex(block);
    }

    public static void main(String[] args) throws Exception {
        int processors = Runtime.getRuntime().availableProcessors();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < processors; i++) {
                int seed = i;
                threads.submit(() -> chain(seed));
            }
        }
    }
}
