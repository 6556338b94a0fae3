// problem: Every step writes a line to the pipe of a log collector, which reads slowly; the pipe is full, so one thread
//     blocks in the write and the others wait for the lock of the stream.
// place: Collector.log
// place: Brewery.step
// remedy: Put lines into a bounded queue that one thread writes, and drop or count lines when the queue is full.

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Controls the kettles of a brewery and writes down each step. */
public final class Brewery {

    private final Collector collector = new Collector();
    private final LongAdder steps = new LongAdder();
    private final LongAdder degrees = new LongAdder();

    private Brewery() throws IOException {}

    void step(int kettle, int number) throws IOException, InterruptedException {
        Thread.sleep(8); // the valve moves
        collector.log("kettle " + kettle + ", step " + number + ", " + "all values are fine; ".repeat(90));
        steps.increment();
    }

    void measure(int sensor) throws InterruptedException {
        Thread.sleep(10); // the sensor
        degrees.add(60 + sensor % 9);
    }

    public static void main(String[] args) throws Exception {
        var brewery = new Brewery();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                int kettle = i;
                threads.submit(() -> {
                    for (int number = 0; ; number++) {
                        brewery.step(kettle, number);
                    }
                });
                threads.submit(() -> {
                    while (true) {
                        brewery.measure(kettle);
                    }
                });
            }
        }
    }
}

/** The program that collects logs. It ends when this program ends. */
final class Collector {

    private final OutputStream pipe;

    Collector() throws IOException {
        pipe = new ProcessBuilder("sh", "-c", "while read -r line; do sleep 0.04; done")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .getOutputStream();
    }

    void log(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (pipe) {
            pipe.write(bytes);
            pipe.flush();
        }
    }
}
