package program;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.consumer.RecordingStream;

/// Blocks carriers and computes too long, until each of Heddle's events about that has been seen by a listener. Events
/// name frames of programs, so it is not in a package of Heddle.
public final class FlightProgram {

    private static volatile boolean isDone;
    private static volatile long result;

    private FlightProgram() {}

    /// @param args a FIFO without a writer
    public static void main(String[] args) throws InterruptedException {
        Map<String, CountDownLatch> awaited = Map.of(
                "heddle.HandOff", new CountDownLatch(2),
                "heddle.Hog", new CountDownLatch(1),
                "heddle.BlockedCarrier", new CountDownLatch(1));
        try (RecordingStream stream = new RecordingStream()) {
            awaited.forEach((name, latch) -> stream.onEvent(name, _ -> latch.countDown()));
            stream.startAsync();
            for (int i = 0; i < 4; i++) {
                Thread.startVirtualThread(FlightProgram::compute);
                Thread.startVirtualThread(FlightProgram::nap);
            }
            while (awaited.get("heddle.Hog").getCount() > 0) { // some hogs may have come before the listener
                Thread.startVirtualThread(FlightProgram::compute);
                Thread.sleep(100);
            }
            Thread.startVirtualThread(() -> open(args[0]));
            for (CountDownLatch each : awaited.values()) {
                each.await();
            }
        }
        isDone = true;
        System.exit(0); // the FIFO never opens
    }

    private static void compute() {
        long sum = 0;
        for (long i = 0; !isDone && i < 3_000_000_000L; i++) {
            sum += i ^ sum;
        }
        result = sum;
    }

    private static void nap() {
        try {
            while (!isDone) {
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void open(String fifo) {
        try (FileInputStream in = new FileInputStream(fifo)) {
            throw new IllegalStateException("opened, and read " + in.read());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
