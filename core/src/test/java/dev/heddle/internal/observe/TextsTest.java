package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.stats.GoroutineStats;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Dumps, traces and metrics, letter by letter.
class TextsTest {

    private static final String PARK = "java.base/java.lang.VirtualThread.park(VirtualThread.java:742)";
    private static final String RECEIVE = "dev.heddle.Chan.receive(Chan.java:181)";

    private final List<GoroutineStats> goroutines = List.of(
            Pictures.waiting(
                    21, "chan receive", Duration.ofSeconds(190).toNanos(), PARK, RECEIVE, "app.Main.a(Main.java:6)"),
            Pictures.waiting(15, "chan receive", -1, PARK, RECEIVE, "app.Main.a(Main.java:6)"),
            Pictures.running(9, "boss", 3, "app.Main.main(Main.java:3)", "app.Main.b(Unknown Source)"));

    @Test
    void aDumpIsGos() {
        assertThat(new GoroutineDump(Pictures.scheduler("s", 4), goroutines).text(false))
                .isEqualTo("""
                scheduler s: 4 goroutines, 1 running, 7 runnable, 0 in syscalls, 0 pinned, 0 waiting; 1 of them not shown:\
                 not begun, or above the limit

                goroutine 9 [running, locked to thread] {name: boss}:
                app.Main.b(...)
                \tUnknown Source
                created by app.Main.main in goroutine 1
                \tMain.java:3

                goroutine 15 [chan receive]:
                dev.heddle.Chan.receive(...)
                \tChan.java:181
                app.Main.a(...)
                \tMain.java:6

                goroutine 21 [chan receive, 3 minutes]:
                dev.heddle.Chan.receive(...)
                \tChan.java:181
                app.Main.a(...)
                \tMain.java:6
                """);
    }

    @Test
    void allFramesAreShownOnRequestOrIfThereIsNothingElse() {
        GoroutineStats parked = Pictures.waiting(5, "semacquire", -1, PARK);

        assertThat(new GoroutineDump(Pictures.scheduler("s", 1), List.of(parked)).text(false))
                .contains("java.lang.VirtualThread.park(...)\n\tVirtualThread.java:742");
        assertThat(new GoroutineDump(Pictures.scheduler("s", 3), goroutines).text(true))
                .contains("java.lang.VirtualThread.park(...)\n\tVirtualThread.java:742\ndev.heddle.Chan.receive(...)");
    }

    @Test
    void goroutinesInTheSamePlaceAreGroupedTheLargestFirst() {
        assertThat(new GoroutineDump(Pictures.scheduler("s", 3), goroutines).groupedText())
                .isEqualTo("""
                goroutine profile: total 3 of scheduler s
                2 @ [chan receive, up to 3 minutes] goroutine 15 21
                #\tdev.heddle.Chan.receive\tChan.java:181
                #\tapp.Main.a\tMain.java:6

                1 @ [running] goroutine 9
                #\tapp.Main.b\tUnknown Source
                #\tcreated by app.Main.main\tMain.java:3
                """);
    }

    @Test
    void scheddetailIsGos() {
        StringBuilder text = new StringBuilder();
        SchedDetail.append(text, Pictures.scheduler("s", 3), "", goroutines);

        assertThat(text.toString()).isEqualTo("""
                SCHED 208ms: gomaxprocs=2 idleprocs=1 threads=3 spinningthreads=0 needspinning=1 idlethreads=1 runqueue=3\
                 gcwaiting=false nmidlelocked=1 stopwait=0 sysmonwait=true
                  P0: status=1 schedtick=10 syscalltick=3 m=3 runqsize=3 gfreecnt=0 timerslen=1
                  P1: status=0 schedtick=10 syscalltick=3 m=nil runqsize=3 gfreecnt=0 timerslen=1
                  M3: p=0 curg=9 mallocing=0 throwing=0 preemptoff= locks=0 dying=0 spinning=false blocked=true lockedg=9
                  M2: p=nil curg=nil mallocing=0 throwing=0 preemptoff= locks=0 dying=0 spinning=true blocked=true\
                 lockedg=nil
                  G21: status=4(chan receive) m=nil lockedm=nil
                  G15: status=4(chan receive) m=nil lockedm=nil
                  G9: status=2() m=3 lockedm=3""");
    }

    @Test
    void stealsHaveALineOfTheirOwn() {
        assertThat(SchedDetail.steals(Pictures.scheduler("s", 3)))
                .isEqualTo("STEALS 208ms: P0[steals=2 stolen=6 stolenfrom=1 handoffs=3 preemptions=2 spins=9]"
                        + " P1[steals=2 stolen=6 stolenfrom=1 handoffs=3 preemptions=2 spins=9]");
    }

    @Test
    void metricsArePrometheusText() {
        String text = PrometheusText.of(List.of(Pictures.scheduler("a", 12), Pictures.scheduler("b\"\n", 3)));

        assertThat(text.lines())
                .allMatch(it -> it.matches("# (HELP|TYPE) [a-z_]+ .*|[a-z_]+\\{[^}]+\\} [0-9.E+-]+"), "is a line of it")
                .contains(
                        "# TYPE go_sched_gomaxprocs_threads gauge",
                        "go_sched_gomaxprocs_threads{scheduler=\"a\"} 2",
                        "go_sched_goroutines_goroutines{scheduler=\"a\"} 12",
                        "go_sched_goroutines_goroutines{scheduler=\"b\\\"\\n\"} 3",
                        "go_sched_goroutines_waiting_goroutines{scheduler=\"a\"} 4",
                        "heddle_hand_offs_total{scheduler=\"a\",reason=\"hog\"} 3",
                        "heddle_run_queue_length{scheduler=\"a\",p=\"0\"} 4",
                        "heddle_run_queue_length{scheduler=\"a\",p=\"1\"} 3",
                        "heddle_throttled_seconds_total{scheduler=\"a\"} 1.5",
                        "go_sched_latencies_seconds_bucket{scheduler=\"a\",le=\"1.024E-6\"} 3",
                        "go_sched_latencies_seconds_bucket{scheduler=\"a\",le=\"0.001048576\"} 4",
                        "go_sched_latencies_seconds_bucket{scheduler=\"a\",le=\"+Inf\"} 4",
                        "go_sched_latencies_seconds_count{scheduler=\"a\"} 4",
                        "go_sched_latencies_seconds_sum{scheduler=\"a\"} 0.001003");
        assertThat(text.lines().filter(it -> it.startsWith("# TYPE"))).doesNotHaveDuplicates();
    }
}
