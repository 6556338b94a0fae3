package dev.heddle.bench.peer;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/// An empty pipe from which many threads read: each blocks in `read(2)`, together with its carrier thread.
///
/// A platform thread watches them: a scheduler whose threads are all blocked would not run the watcher.
public final class BlockingReads {

    private static final long PATIENCE_NANOS = 3_000_000_000L;

    private final Job job;
    private final RandomAccessFile pipe; // both ends: opening it does not wait for another reader or writer
    private final InputStream in;
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();

    /// Makes the pipe for as many readers as the job's size.
    public BlockingReads(Job job) throws IOException, InterruptedException {
        this.job = job;
        Path folder = Files.createTempDirectory("heddle-bench");
        Path fifo = folder.resolve("fifo");
        if (new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor() != 0) {
            throw new IOException("mkfifo failed");
        }
        this.pipe = new RandomAccessFile(fifo.toFile(), "rw");
        this.in = new FileInputStream(fifo.toFile());
        Files.delete(fifo);
        Files.delete(folder);
    }

    /// The body of each reader.
    public void read() throws IOException {
        entered.incrementAndGet();
        if (in.read() < 0) {
            throw new IOException("the pipe was closed");
        }
        released.incrementAndGet();
    }

    /// Starts the watcher and then, by `startReader`, each reader. Returns when the watcher has ended.
    ///
    /// @param startReader starts a thread that calls [#read()]
    public void run(Runnable startReader) throws ExecutionException, InterruptedException {
        long start = System.nanoTime();
        FutureTask<Void> watcher = new FutureTask<>(() -> {
            watch(start);
            return null;
        });
        Thread.ofPlatform().start(watcher);
        for (int i = 0; i < job.size(); i++) {
            startReader.run();
        }
        watcher.get();
    }

    /// Waits until all readers have started their read, and reports the time since `start` and the number of
    /// threads. Then releases all readers, and reports how long that takes. If some readers do not start in
    /// time, it reports an infinite time and still releases all of them.
    private void watch(long start) throws IOException, InterruptedException {
        awaitAll(entered, PATIENCE_NANOS);
        boolean isComplete = entered.get() == job.size();
        job.figure("block", isComplete ? (double) (System.nanoTime() - start) : Double.POSITIVE_INFINITY);
        job.figure("threads", Proc.threads());
        long release = System.nanoTime();
        pipe.write(new byte[job.size()]);
        awaitAll(released, Long.MAX_VALUE);
        if (isComplete) {
            job.figure("release", (double) (System.nanoTime() - release));
        }
        pipe.close();
        in.close();
    }

    private void awaitAll(AtomicInteger counter, long nanos) throws InterruptedException {
        long start = System.nanoTime();
        while (counter.get() < job.size() && System.nanoTime() - start < nanos) {
            Thread.sleep(0, 200_000);
        }
    }
}
