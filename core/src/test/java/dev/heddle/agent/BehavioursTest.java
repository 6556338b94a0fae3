package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same program on both schedulers: `Behaviours` asks small questions about threads, executors, structured
/// concurrency, interrupts, thread-locals, scoped values, timed waits, sockets and dumps.
public final class BehavioursTest {

    @TempDir
    private Path folder;

    @Test
    void answersAreThoseOfTheJdksScheduler() throws Exception {
        List<String> stock = answers(List.of());
        List<String> heddle = answers(List.of("-javaagent:" + AgentJar.of(folder)));

        assertThat(stock).hasSizeGreaterThanOrEqualTo(30).noneMatch(it -> it.contains("FAILED"));
        assertThat(heddle).isEqualTo(stock);
    }

    private List<String> answers(List<String> options) throws Exception {
        Path program = Path.of(Objects.requireNonNull(BehavioursTest.class.getResource("Behaviours.java"))
                .toURI());
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-preview", "--source", "25", program.toString()));
        ChildJvm.Result child = ChildJvm.ofWords(words).run();
        assertThat(child.exitCode()).as(child.err()).isZero();
        return child.out().lines().toList();
    }
}
