package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;

/// The kernel follows the JVM's flight recorder: it has its events reported from the recorder's start to its own end.
class RecorderFollowerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<String> calls = new CopyOnWriteArrayList<>();

    @Test
    void reportsBeginWithTheRecorderAndEndWithTheKernel() {
        Kernel kernel = DrivenMachine.kernel(1);
        try (Recording recording = new Recording()) {
            recording.start();
            kernel.setFlightLink(new Calls());
            kernel.start();
            await("deep sleep").atMost(PATIENCE).until(kernel.monitor::isDeep);
            kernel.monitor.wake(); // one cycle, which notices the recorder
            await("begun").atMost(PATIENCE).until(() -> calls.equals(List.of("begin")));
        } finally {
            DrivenMachine.end(kernel);
        }
        await("ended").atMost(PATIENCE).until(() -> calls.equals(List.of("begin", "end")));
    }

    /// The reader parks while there is nothing to report.
    @Test
    void anEventWakesItsReader() throws InterruptedException {
        CountDownLatch read = new CountDownLatch(1);
        EventFeed[] feed = new EventFeed[1];
        Thread reader = Thread.ofPlatform().daemon().unstarted(() -> {
            while (feed[0].poll() == null) {
                LockSupport.park();
            }
            read.countDown();
        });
        feed[0] = new EventFeed(reader);
        try (Rig rig = Rig.procs(1)) {
            reader.start();
            await("parked").atMost(PATIENCE).until(() -> reader.getState() == Thread.State.WAITING);
            feed[0].add(EventFeed.Kind.HOG, 0, new Machine(rig.kernel(), 100, "hog"), 1);
            rig.await(read);
        }
    }

    /// The system monitor never waits for the reader.
    @Test
    void eventsThatDoNotFitAreCounted() throws InterruptedException {
        EventFeed feed = new EventFeed(Thread.currentThread());
        try (Rig rig = Rig.procs(1)) {
            Machine machine = new Machine(rig.kernel(), 100, "hog");
            int added = 0;
            while (feed.dropped() == 0) {
                feed.add(EventFeed.Kind.HOG, 0, machine, ++added);
            }
            for (int i = 1; i < added; i++) {
                EventFeed.Event event = feed.poll();
                assertThat(event).isNotNull();
                assertThat(event.nanos()).as("in order").isEqualTo(i);
            }
            assertThat(feed.poll()).as("the last one did not fit").isNull();
        }
    }

    private final class Calls implements FlightLink {

        @Override
        public void begin(Kernel kernel) {
            calls.add("begin");
        }

        @Override
        public void end() {
            calls.add("end");
        }

        @Override
        public void bug(String message) {
            calls.add("bug");
        }

        @Override
        public void deadlock(Kernel kernel, String message) {
            calls.add("deadlock");
        }

        @Override
        public void lastMoments(String message) {
            calls.add("last moments");
        }
    }
}
