package dev.heddle.trace.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GoWriterTest {

    private static final long START = 1_000_000_000;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    private GoWriter writer(GoVersion version) throws IOException {
        GoWriter writer = new GoWriter(version, 0, file);
        writer.beginGeneration(START);
        writer.procStatus(1, START, 0, GoEvent.PROC_RUNNING);
        writer.goStatus(1, START, 1, 1, GoEvent.RUNNING);
        return writer;
    }

    @ParameterizedTest
    @EnumSource
    void eachVersionIsReadBack(GoVersion version) throws IOException {
        GoWriter writer = writer(version);
        writer.goCreate(1, START + 100, 2, "app.Main");
        writer.goBlock(1, START + 200, "chan receive", List.of());
        writer.goStart(1, START + 300, 2);
        writer.endGeneration();
        writer.beginGeneration(START + 400);
        writer.procStatus(1, START + 400, 0, GoEvent.PROC_RUNNING);
        writer.goStatus(1, START + 400, 2, 1, GoEvent.RUNNING);
        writer.goStatus(1, START + 400, 1, GoEvent.NO_MACHINE, GoEvent.WAITING);
        writer.goUnblock(7, START + 500, 1);
        writer.goDestroy(1, START + 600);
        writer.endGeneration();

        assertThat(GoChecker.check(file.toByteArray()))
                .contains("M1 P0 G1 GoCreate 2 app.Main", "M1 P0 G-1 GoBlock chan receive", "M7 P-1 G-1 GoUnblock 1")
                .endsWith("M1 P0 G-1 GoDestroy");
    }

    @Test
    void theCheckerRefusesWhatGoRefuses() throws IOException {
        GoWriter writer = writer(GoVersion.GO_26);
        writer.goStart(1, START + 100, 1); // the machine runs it already
        writer.endGeneration();

        assertThatThrownBy(() -> GoChecker.check(file.toByteArray())).hasMessageContaining("failed to advance");
    }

    @Test
    void manyEventsFillSeveralBatchesAndManyNamesSeveralTables() throws IOException {
        GoWriter writer = writer(GoVersion.GO_26);
        for (int i = 2; i < 30_000; i++) {
            writer.goCreate(1, START + 100 * i, i, "app.Main$" + i);
        }
        writer.endGeneration();

        List<String> lines = GoChecker.check(file.toByteArray());
        assertThat(lines).hasSize(30_000).last().isEqualTo("M1 P0 G1 GoCreate 29999 app.Main$29999");
    }

    @Test
    void aLongTextIsCutBetweenCharacters() throws IOException {
        GoWriter writer = writer(GoVersion.GO_26);
        writer.log(1, START + 100, 0, "note", "x" + "\u00e4".repeat(1000));
        writer.endGeneration();

        assertThat(GoChecker.check(file.toByteArray()).getLast())
                .isEqualTo("M1 P0 G1 Log note: x" + "\u00e4".repeat(511));
    }

    @Test
    void anEventCostsAboutFiveBytes() throws IOException {
        GoWriter writer = writer(GoVersion.GO_26);
        writer.goCreate(1, START + 100, 1_000_000, "app.Main");
        long time = START;
        for (int i = 0; i < 50_000; i++) {
            time += 1_000;
            writer.goStop(1, time, "preempted");
            writer.goStart(1, time, i % 2 == 0 ? 1_000_000 : 1);
        }
        writer.endGeneration();

        assertThat(file.size() / 100_000.0).isLessThan(6);
    }
}
