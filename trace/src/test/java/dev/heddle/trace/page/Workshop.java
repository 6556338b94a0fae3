package dev.heddle.trace.page;

import static dev.heddle.internal.trace.EventKind.*;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/// A small program on two processors, as a recording: a burst of goroutines, a spill, steals, a channel, a hog whose
/// processor is taken, a stop of the world, a pause of the collector.
final class Workshop {

    static final String HOSTILE = "</script><script>document.title='broken'</script><!-- {{DATA}}";

    private static final long RUN = 20_000;
    private static final int WORKERS = 300;
    private static final int STOLEN = 40;
    private static final int HOG_NUMBER = 1000;

    private final Scene scene = new Scene();

    private Workshop() {}

    static Scene scene() {
        Workshop workshop = new Workshop();
        workshop.play();
        return workshop.scene;
    }

    /// The page of this data, as text.
    static String page(PageData data) {
        StringWriter page = new StringWriter();
        try {
            TracePage.write(data, page);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return page.toString();
    }

    private void play() {
        scene.add(0, CHUNK, 0, 0, 0);
        scene.add(0, GO_CREATE, "test.Main", "", 1, 0);
        scene.add(0, GO_START_FRESH, "", "", 1, 30, 0);
        burst();
        scene.add(0, M_WAKE, 1).add(1, M_BEGIN).add(1, P_START, 1).add(1, SPIN_BEGIN);
        steal();
        hog();
        scene.add(0, STW_BEGIN).pause(RUN).add(0, PROCS, 2).add(0, STW_END);
        scene.pause(RUN).add(-1, GC, "G1 Young", "", RUN, RUN / 2);
        channel();
    }

    /// More goroutines than a ring holds: one of them has a hostile name, in a thread of its own.
    private void burst() {
        for (int i = 0; i < WORKERS; i++) {
            scene.add(0, GO_CREATE, "test.Worker", "", 2 + i, 0);
            if (i == 257) {
                scene.add(0, SPILL, 129);
            }
        }
        scene.add(0, THREAD_CREATE, "test.Guest", HOSTILE, 40, 0);
        scene.add(0, GO_PARK, "", "", 13);
    }

    /// The new machine steals, and runs what it stole; the first machine goes on with its own queue.
    private void steal() {
        scene.pause(RUN).add(1, STEAL, 0, STOLEN, 0).add(1, SPIN_END);
        run(1, 2 + 128 + STOLEN - 1, 60);
        scene.add(0, GO_START, 40, 0).pause(RUN).add(0, GO_PARK, "", "", 0);
        for (int i = 0; i < 20; i++) {
            run(1, 2 + 128 + i, 61);
            run(0, 2 + 128 + STOLEN + i, 30);
        }
    }

    private void run(int machine, long number, long thread) {
        scene.add(machine, GO_START_FRESH, "", "", number, thread, 1).pause(RUN).add(machine, GO_END);
    }

    private void hog() {
        scene.add(1, GO_CREATE, "test.Hog", "", HOG_NUMBER, 0)
                .add(1, GO_START_FRESH, "", "", HOG_NUMBER, 70, 0)
                .pause(10_000_000)
                .add(-1, PREEMPT_ASK, 1, 1)
                .pause(RUN)
                .add(-1, P_TAKEN, 1, 1)
                .add(-1, HAND_OFF, 1, 1, 2, 10_020_000)
                .add(-1, M_WAKE, 2)
                .add(2, M_BEGIN)
                .add(2, P_START, 1)
                .add(-1, HOG, 1, 11_000_000);
        run(2, 2 + 128 + 20, 80);
        scene.add(1, P_LOST, 1).add(1, GO_END);
    }

    private void channel() {
        scene.add(2, GO_READY, 40, 0).add(2, GO_START, 40, 0).pause(RUN).add(2, GO_END);
        scene.add(2, GO_READY, 30, 2).add(2, P_STOP, 1).add(2, M_PARK);
        scene.pause(RUN).add(0, GLOBAL_TAKE, 2);
        run(0, 2, 30 + 1);
        scene.add(0, GO_START, 30, 2).pause(RUN);
    }
}
