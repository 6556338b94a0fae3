package dev.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.WaitGroup;
import java.time.Duration;

/// Goroutines that are tied to their thread.
class LockedTest {
    private static final String FILE = "runtime/proc_test.go";

    /// The carrier of the current virtual thread, as its name in a thread's description says.
    private static String carrier() {
        String text = Thread.currentThread().toString();
        return text.substring(text.indexOf('@') + 1);
    }

    @GoTest(file = FILE, value = "TestYieldLockedProgress")
    void testYieldLockedProgress() throws Exception {
        Chan<Boolean> done = Chan.make();
        Chan<Boolean> cut = Chan.make();
        Go.go(() -> {
            Go.lockOSThread();
            while (cut.tryReceive() == null) {
                Go.gosched();
            }
            Go.unlockOSThread();
            done.send(true);
        });
        Thread.sleep(Duration.ofMillis(2));
        cut.send(true);
        done.receive();
    }

    @GoTest(
            file = FILE,
            value = {"TestYieldLocked", "issue5963.go"},
            adapted = "in one scheduler and not in an init function")
    void testYieldLocked() throws Exception {
        Chan<String> carriers = Chan.make(20);
        Go.go(() -> {
            Go.lockOSThread();
            for (int i = 0; i < 10; i++) {
                Go.gosched();
                carriers.send(carrier());
                Thread.sleep(Duration.ofMillis(1));
                carriers.send(carrier());
            }
            carriers.close();
            // ends without unlocking
        });
        String first = carriers.receive();
        for (String each : carriers) {
            assertThat(each).as("moved to another thread").isEqualTo(first);
        }
    }

    @GoTest(file = FILE, value = "TestBlockLocked")
    void testBlockLocked() throws Exception {
        int n = 10;
        Chan<Boolean> chan = Chan.make();
        Go.go(() -> {
            Go.lockOSThread();
            for (int i = 0; i < n; i++) {
                chan.send(true);
            }
            Go.unlockOSThread();
        });
        for (int i = 0; i < n; i++) {
            assertThat(chan.receive()).isTrue();
        }
    }

    /// Two locks need two unlocks: in between the goroutine stays where it is.
    @GoTest(file = FILE, value = "TestLockOSThreadNesting", adapted = "seen by the thread it stays on, not by counters")
    void testLockOSThreadNesting() throws Exception {
        var ended = new WaitGroup();
        ended.go(() -> {
            Go.lockOSThread();
            Go.lockOSThread();
            String before = carrier();
            Go.unlockOSThread();
            for (int i = 0; i < 5; i++) {
                Thread.sleep(Duration.ofMillis(1));
                assertThat(carrier()).isEqualTo(before);
            }
            Go.unlockOSThread();
            Go.unlockOSThread(); // one too many does nothing
        });
        ended.await();
    }

    /// Whoever ends locked takes the thread with it: nothing runs there any more.
    @GoTest(file = FILE, value = "TestLockOSThreadExit")
    void testLockOSThreadExit() throws Exception {
        Chan<String> locked = Chan.make(1);
        var ended = new WaitGroup();
        ended.go(() -> {
            Go.lockOSThread();
            locked.send(carrier());
        });
        ended.await();
        String gone = locked.receive();
        Chan<String> seen = Chan.make(100);
        for (int i = 0; i < 100; i++) {
            Go.go(() -> {
                Go.gosched();
                seen.send(carrier());
            });
        }
        for (int i = 0; i < 100; i++) {
            assertThat(seen.receive()).isNotEqualTo(gone);
        }
    }
}
