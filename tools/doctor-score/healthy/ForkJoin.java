// healthy: Work that is split again and again: a virtual thread for each half, then for each quarter, joined on the way
//     back; and the same by RecursiveTask in a ForkJoinPool. The processors are busy, and every join is short.

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;

/** Sums up an array, once and once more, with a short pause after each round. */
public final class ForkJoin {

    private static final int LEAF = 1 << 14;

    private static long sum(ExecutorService threads, int[] data, int from, int to)
            throws ExecutionException, InterruptedException {
        if (to - from <= LEAF) {
            return leaf(data, from, to);
        }
        int middle = (from + to) >>> 1;
        Future<Long> left = threads.submit(() -> sum(threads, data, from, middle));
        return sum(threads, data, middle, to) + left.get();
    }

    private static long leaf(int[] data, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += Integer.bitCount(data[i] * 31);
        }
        return sum;
    }

    private static final class Part extends RecursiveTask<Long> {
        private static final long serialVersionUID = 1;
        private final transient int[] data;
        private final int from;
        private final int to;

        Part(int[] data, int from, int to) {
            this.data = data;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Long compute() {
            if (to - from <= LEAF) {
                return leaf(data, from, to);
            }
            int middle = (from + to) >>> 1;
            var left = new Part(data, from, middle);
            left.fork();
            return new Part(data, middle, to).compute() + left.join();
        }
    }

    public static void main(String[] args) throws Exception {
        int[] data = new int[1 << 22];
        for (int i = 0; i < data.length; i++) {
            data[i] = i * 7;
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            while (true) {
                long first = threads.submit(() -> sum(threads, data, 0, data.length)).get();
                long second = ForkJoinPool.commonPool().invoke(new Part(data, 0, data.length));
                if (first != second) {
                    throw new IllegalStateException(first + " is not " + second);
                }
                Thread.sleep(10);
            }
        }
    }
}
