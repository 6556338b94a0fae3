package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

final class SchedulerLineTest {

    @Test
    void heddlesLineIsExplained() {
        var line = SchedulerLine.parse(
                "dev.heddle.internal.kernel.KernelPool@1f[ForkJoinPool-1, parallelism = 2, size = 3, new = x]");

        assertThat(line.isHeddle()).isTrue();
        assertThat(line.name()).isEqualTo("ForkJoinPool-1");
        assertThat(line.values()).containsExactly(entry("parallelism", "2"), entry("size", "3"), entry("new", "x"));
        assertThat(line.explain())
                .containsExactly(
                        "                     2  processors (GOMAXPROCS)",
                        "                     3  carrier threads",
                        "                     x  new");
    }

    @Test
    void theJdksLineIsNotHeddles() {
        var line = SchedulerLine.parse("java.util.concurrent.ForkJoinPool@c3e3f69[Running, parallelism = 2, size = 0]");

        assertThat(line.isHeddle()).isFalse();
        assertThat(line.values()).containsEntry("parallelism", "2");
    }

    @Test
    void anotherFormIsNotHeddles() {
        assertThat(SchedulerLine.parse("").isHeddle()).isFalse();
        assertThat(SchedulerLine.parse("nothing [of the kind").values()).isEmpty();
    }
}
