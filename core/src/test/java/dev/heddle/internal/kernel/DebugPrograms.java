package dev.heddle.internal.kernel;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// Main classes of child JVMs for tests of HEDDLE_DEBUG.
final class DebugPrograms {

    private DebugPrograms() {}

    /// A scheduler, with a goroutine if there is an argument. Ends with the watch over its start.
    static final class Starting {
        private Starting() {}

        public static void main(String[] args) throws InterruptedException {
            try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
                Optional<Thread> watch = Thread.getAllStackTraces().keySet().stream()
                        .filter(it -> it.getName().equals("heddle-start-watch"))
                        .findAny(); // none: on a busy computer it may have ended already
                if (args.length > 0) {
                    CountDownLatch done = new CountDownLatch(1);
                    scheduler.go(done::countDown);
                    done.await();
                }
                if (watch.isPresent()) {
                    watch.get().join();
                }
            }
            System.out.println("watched");
        }
    }

    /// Two goroutines that wait, until a line comes.
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] args) throws IOException {
            Chan<Integer> never = Chan.make();
            Go.go(never::receive);
            Go.go(never::receive);
            System.out.println("ready");
            int _ = System.in.read();
        }
    }

    /// Asks for two schedulers, and prints why it gets none.
    static final class Refused {

        private Refused() {}

        public static void main(String[] args) throws InterruptedException {
            for (int i = 0; i < 2; i++) {
                try {
                    Scheduler.builder().name("refused").build();
                } catch (IllegalStateException e) {
                    System.out.println(e.getMessage());
                }
            }
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().startsWith("refused")) {
                    thread.join();
                }
            }
            System.out.println("no thread of a scheduler is left");
        }
    }
}
