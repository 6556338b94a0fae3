package dev.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Context;
import dev.heddle.Go;
import dev.heddle.Select;
import dev.heddle.Timer;
import dev.heddle.WaitGroup;
import dev.heddle.testing.ChildJvm;
import java.time.Duration;
import java.util.List;
import sun.misc.Signal;

/// Programs that end badly, each in a JVM of its own: the words and the exit status are Go's.
class CrashTest {
    private static final String FILE = "runtime, deadlock and crash";
    private static final String DEADLOCK = "fatal error: all goroutines are asleep - deadlock!";

    /// Longer than the detector needs to make up its mind.
    private static final Duration WHILE = Duration.ofMillis(300);

    /// The programs. The first argument names one.
    static final class Programs {
        private Programs() {}

        public static void main(String[] arguments) throws Throwable {
            Go.main(() -> {
                switch (arguments[0]) {
                    case "SimpleDeadlock" -> Select.select();
                    case "ChannelDeadlock" -> Chan.make().receive();
                    case "WaitGroupDeadlock" -> {
                        var group = new WaitGroup();
                        group.add(1);
                        Go.go(() -> Chan.make().send("x"));
                        group.await();
                    }
                    case "SignalHandlerDeadlock" -> {
                        Chan.make()
                                .send(new Signal("INT").getNumber()); // as Go's program: imported, nothing is handled
                    }
                    case "GoexitDeadlock" -> {
                        Go.go(() -> {});
                        Go.goexit();
                    }
                    case "Sleeper" -> {
                        Chan<Integer> chan = Chan.make();
                        Go.go(() -> {
                            Thread.sleep(WHILE);
                            chan.send(1);
                        });
                        chan.receive();
                    }
                    case "TimerChannel" -> Timer.after(WHILE).receive();
                    case "Timeout" -> Select.select(Select.timeout(WHILE));
                    case "Deadline" ->
                        Context.background().withTimeout(WHILE).done().receive();
                    case "AfterFunc" -> {
                        Chan<Integer> chan = Chan.make();
                        Timer.afterFunc(WHILE, () -> chan.send(1));
                        chan.receive();
                    }
                    default -> throw new IllegalArgumentException(arguments[0]);
                }
            });
        }
    }

    @GoTest(file = FILE, value = "TestSimpleDeadlock")
    void testSimpleDeadlock() throws Exception {
        for (String program : List.of("SimpleDeadlock", "ChannelDeadlock", "WaitGroupDeadlock")) {
            ChildJvm.Result ended = run(program);
            assertThat(ended.lines()).as(program).contains(DEADLOCK);
            assertThat(ended.exitCode()).as(program).isEqualTo(2);
        }
    }

    /// A thread of the JVM that waits for signals is no goroutine, and could not wake one up as long as the
    /// program handles none.
    @GoTest(file = "test/fixedbugs", value = "issue21576.go")
    void issue21576() throws Exception {
        ChildJvm.Result ended = run("SignalHandlerDeadlock");
        assertThat(ended.lines()).contains(DEADLOCK);
        assertThat(ended.exitCode()).isEqualTo(2);
    }

    @GoTest(file = FILE, value = "TestGoexitDeadlock")
    void testGoexitDeadlock() throws Exception {
        ChildJvm.Result ended = run("GoexitDeadlock");
        assertThat(ended.lines()).contains("fatal error: no goroutines (main called runtime.Goexit) - deadlock!");
        assertThat(ended.exitCode()).isEqualTo(2);
    }

    /// A goroutine that sleeps, or waits for a timer in any way, will wake: that is no deadlock.
    @GoTest(file = FILE, value = "TestTimerDeadlock")
    void testTimerDeadlock() throws Exception {
        for (String program : List.of("Sleeper", "TimerChannel", "Timeout", "Deadline", "AfterFunc")) {
            ChildJvm.Result ended = run(program);
            assertThat(ended.lines()).as(program).isEmpty();
            assertThat(ended.exitCode()).as(program).isZero();
        }
    }

    private static ChildJvm.Result run(String program) throws Exception {
        return ChildJvm.of(Programs.class, program)
                .environment("GOMAXPROCS", Integer.toString(Go.gomaxprocs(0)))
                .run();
    }
}
