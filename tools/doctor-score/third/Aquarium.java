// problem: The probe starts a program and waits for its end before it reads its output. A long report fills the
//     pipe (64 kB), the child waits for a reader, and the parent for the child: for ever.
// place: Camera.probe
// remedy: Read the output while the child runs, or redirect it to a file, and wait with a time limit.
// named: threads wait for child processes that do not end because their output is not read, or wait for a child
//     process for ever and without a time limit, at the place
// half: threads that make no progress there, without the child process as the cause
// false: a deadlock of locks, a monitor that is missing a notify, slow disks, CPU
// shows: reports stays the same, and children is 5
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

public class Aquarium {

    static final class Camera {
        private final AtomicInteger children = new AtomicInteger();

        /// The number of lines that the frame tool writes about one tank.
        int probe(int tank, int frames) throws IOException, InterruptedException {
            Process tool = new ProcessBuilder("sh", "-c", "seq -f 'tank " + tank + " frame %.0f ok' 1 " + frames)
                    .redirectErrorStream(true)
                    .start();
            children.incrementAndGet();
            try {
                int exit = tool.waitFor();
                if (exit != 0) {
                    throw new IOException("the frame tool failed with " + exit);
                }
                String report = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return (int) report.lines().count();
            } finally {
                children.decrementAndGet();
            }
        }
    }

    private final Camera camera = new Camera();
    private final AtomicInteger reports = new AtomicInteger();
    private final AtomicInteger feedings = new AtomicInteger();

    private void watch(int tank) {
        try {
            for (int round = 0; ; round++) {
                int frames = round % 3 == 2 ? 20_000 : 200; // each third report is the long one
                if (camera.probe(tank, frames) == frames) {
                    reports.incrementAndGet();
                }
                Thread.sleep(100);
            }
        } catch (IOException e) {
            System.out.println("tank " + tank + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void feed() {
        try {
            while (true) {
                feedings.incrementAndGet();
                Thread.sleep(250);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var aquarium = new Aquarium();
        for (int i = 0; i < 5; i++) {
            int tank = i;
            Thread.ofVirtual().name("tank-" + i).start(() -> aquarium.watch(tank));
        }
        Thread.ofVirtual().name("feeder").start(aquarium::feed);
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "reports %d, children %d, feedings %d%n",
                    aquarium.reports.get(), aquarium.camera.children.get(), aquarium.feedings.get());
        }
    }
}
