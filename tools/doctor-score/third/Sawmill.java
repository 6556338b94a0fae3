// problem: Each log that comes in asks the backlog for its size, to refuse it if the yard is full. The backlog is a
//     ConcurrentLinkedQueue, which counts all its 80,000 nodes for that: the intake burns the processors with counting.
// place: Intake.accept
// place: Intake.isFull
// remedy: Count with an atomic or use a queue with a capacity, such as ArrayBlockingQueue or LinkedBlockingQueue.
// named: the CPU is used by the size of the queue, at one of the places
// half: a computing thread, with neither the queue nor the place
// false: a queue that grows (it does not), a slow consumer, a lock, polling
// shows: accepting a log takes 100 us and more, and the CPU of the program is above 100 %
import java.lang.management.ManagementFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

public class Sawmill {

    record Log(long id, int millimetres) {}

    static final class Intake {
        private static final int PLACES = 120_000;
        private final Queue<Log> backlog = new ConcurrentLinkedQueue<>();
        private final LongAdder accepted = new LongAdder();
        private final LongAdder refused = new LongAdder();
        private final LongAdder nanos = new LongAdder();

        Intake() {
            for (int i = 0; i < 80_000; i++) {
                backlog.add(new Log(i, 3_000 + i % 900)); // last winter's logs
            }
        }

        boolean accept(Log log) {
            long start = System.nanoTime();
            boolean isAccepted = !isFull() && backlog.offer(log);
            nanos.add(System.nanoTime() - start);
            (isAccepted ? accepted : refused).increment();
            return isAccepted;
        }

        private boolean isFull() {
            return backlog.size() >= PLACES;
        }

        Log next() {
            return backlog.poll();
        }
    }

    private static void truck(Intake intake, int number) {
        try {
            for (long n = 0; ; n++) {
                intake.accept(new Log(number * 1_000_000L + n, 4_200));
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Takes as many logs as come in, so that the backlog stays as it is.
    private static void blade(Intake intake, LongAdder cut) {
        try {
            while (true) {
                Thread.sleep(5);
                while (cut.sum() < intake.accepted.sum() && intake.next() != null) {
                    cut.increment();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var intake = new Intake();
        var cut = new LongAdder();
        Thread.ofVirtual().name("blade").start(() -> blade(intake, cut));
        for (int i = 0; i < 24; i++) {
            int number = i;
            Thread.ofVirtual().name("truck-" + i).start(() -> truck(intake, number));
        }
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        while (true) {
            Thread.sleep(1_000);
            long now = system.getProcessCpuTime();
            System.out.printf(
                    "accepted %d, refused %d, %d us for each, CPU %d %%%n",
                    intake.accepted.sum(), intake.refused.sum(),
                    intake.nanos.sum() / 1_000 / Math.max(1, intake.accepted.sum()), (now - cpu) / 10_000_000);
            cpu = now;
        }
    }
}
