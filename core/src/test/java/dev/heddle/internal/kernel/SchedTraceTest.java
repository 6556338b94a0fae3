package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.testing.ChildJvm;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `HEDDLE_DEBUG=schedtrace=MS` prints Go's line, so that Go's tools and habits work.
class SchedTraceTest {

    private static final Pattern LINE = Pattern.compile("SCHED (\\d+)ms: gomaxprocs=(\\d+) idleprocs=\\d+ threads=\\d+ "
            + "spinningthreads=\\d+ needspinning=[01] idlethreads=\\d+ runqueue=\\d+ "
            + "\\[ ((?:\\d+ )+)\\] schedticks=\\[ ((?:\\d+ )+)\\]");

    private static final int LINES = 3;

    /// Main of the child JVM: works until so many lines were printed to standard error.
    static final class SomeWork {
        private SomeWork() {}

        public static void main(String[] args) throws InterruptedException {
            CountDownLatch lines = new CountDownLatch(Integer.parseInt(args[0]));
            System.setErr(new PrintStream(System.err, /* autoFlush= */ true) {
                @Override
                public void println(Object line) {
                    super.println(line);
                    lines.countDown();
                }
            });
            try (Scheduler scheduler = Scheduler.builder().procs(3).build()) {
                CountDownLatch done = new CountDownLatch(50);
                for (int i = 0; i < 50; i++) {
                    scheduler.go(() -> {
                        do {
                            Thread.sleep(10);
                            Go.gosched();
                        } while (lines.getCount() > 0);
                        done.countDown();
                    });
                }
                done.await();
            }
        }
    }

    @Test
    void printsGosLineEverySoManyMilliseconds() throws InterruptedException {
        check(ChildJvm.of(SomeWork.class, String.valueOf(LINES))
                .environment("HEDDLE_DEBUG", "schedtrace=100")
                .run());
    }

    @Test
    void theSystemPropertyDoesTheSame() throws InterruptedException {
        check(ChildJvm.of(SomeWork.class, String.valueOf(LINES))
                .option("-Dheddle.schedtrace=100")
                .run());
    }

    private static void check(ChildJvm.Result result) {
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.out()).isEmpty();
        List<String> lines = result.err().lines().toList();
        assertThat(lines).hasSizeGreaterThanOrEqualTo(LINES).allSatisfy(it -> {
            Matcher matcher = LINE.matcher(it);
            assertThat(matcher.matches()).as("a line in Go's format: %s", it).isTrue();
            assertThat(matcher.group(2)).isEqualTo("3");
            assertThat(matcher.group(3).split(" ")).hasSize(3);
            assertThat(matcher.group(4).split(" ")).hasSize(3);
        });
        List<Long> times = lines.stream()
                .map(it -> {
                    Matcher matcher = LINE.matcher(it);
                    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
                })
                .toList();
        assertThat(times).isSorted();
        assertThat(lines.getFirst())
                .as("the first line, printed before anything runs")
                .endsWith("schedticks=[ 0 0 0 ]");
        assertThat(times.get(1)).as("the second line").isGreaterThanOrEqualTo(100);
    }

    @Test
    void withoutTheSettingNothingIsPrinted() throws InterruptedException {
        ChildJvm.Result result = ChildJvm.of(SomeWork.class, "0").run();
        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).isEmpty();
    }

    @Test
    void aValueThatIsNoNumberIsNamedAndIgnored() throws InterruptedException {
        ChildJvm.Result result = ChildJvm.of(SomeWork.class, "0")
                .environment("HEDDLE_DEBUG", "schedtrace=often")
                .run();
        assertThat(result.exitCode()).isZero();
        assertThat(result.err().lines()).hasSize(1).allMatch(it -> it.startsWith("heddle: ") && it.contains("often"));
    }
}
