package dev.heddle.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StackTableTest {

    private final StackTable table = new StackTable();

    private static StackTraceElement[] stackAt(int line) {
        return new StackTraceElement[] {
            new StackTraceElement("app", "module", "1", "app.Main", "run", "Main.java", line),
            new StackTraceElement("app.Main", "main", null, -1),
            new StackTraceElement("app.Main", "call", "Main.java", -2)
        };
    }

    private static Map<Integer, List<String>> read(byte[] block) throws ByteSource.Damage {
        Map<Integer, List<String>> stacks = new HashMap<>();
        ByteSource in = new ByteSource(block);
        while (!in.isAtEnd()) {
            int number = (int) in.unsigned();
            String[] frames = new String[(int) in.unsigned()];
            for (int i = 0; i < frames.length; i++) {
                frames[i] = in.text();
            }
            stacks.put(number, List.of(frames));
        }
        return stacks;
    }

    @Test
    void equalStacksAreOneAndOthersAreNot() throws ByteSource.Damage {
        int one = table.of(stackAt(1));
        int two = table.of(stackAt(2));

        assertThat(one).isPositive().isNotEqualTo(two).isEqualTo(table.of(stackAt(1)));
        StackTable.Written written = new StackTable.Written();
        assertThat(read(table.news(written)))
                .containsEntry(
                        one,
                        List.of(
                                "app.Main.run(Main.java:1)",
                                "app.Main.main(Unknown Source)",
                                "app.Main.call(Native Method)"))
                .containsOnlyKeys(one, two);
        assertThat(table.news(written)).as("nothing is written twice").isNull();
        assertThat(read(table.news(new StackTable.Written())))
                .as("another file")
                .hasSize(2);
    }

    @Test
    void anEmptyStackHasNoNumber() {
        assertThat(table.of(new StackTraceElement[0])).isZero();
    }

    @Test
    void framesOfTheSchedulerBelowTheBodyAreLeftOut() throws ByteSource.Damage {
        StackTraceElement shell = new StackTraceElement("dev.heddle.internal.kernel.Shell", "run", "Shell.java", 7);
        int number = table.of(
                Stream.concat(Stream.of(stackAt(1)), Stream.of(shell, shell)).toArray(StackTraceElement[]::new));

        assertThat(read(table.news(new StackTable.Written())).get(number))
                .hasSize(3)
                .noneMatch(it -> it.contains("Shell"));
    }

    @Test
    void threadsThatComeTogetherGetTheSameNumbers() throws InterruptedException {
        ConcurrentLinkedQueue<List<Integer>> all = new ConcurrentLinkedQueue<>();
        CyclicBarrier start = new CyclicBarrier(4);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofPlatform().start(() -> {
                try {
                    start.await();
                    all.add(IntStream.range(0, 2000)
                            .map(it -> table.of(stackAt(it)))
                            .boxed()
                            .toList());
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(all).hasSize(4);
        assertThat(Set.copyOf(all)).hasSize(1);
        assertThat(new HashSet<>(all.element())).as("each stack has its own").hasSize(2000);
    }

    @Test
    void aFullTableRefusesAndItsBlocksAreOfALegalSize() throws ByteSource.Damage {
        int most = 0;
        int refused = 0;
        for (int line = 0; line < 40_000; line++) {
            int number = table.of(stackAt(line));
            most = Math.max(most, number);
            refused += number == 0 ? 1 : 0;
        }
        assertThat(most).isLessThanOrEqualTo(16_384);
        assertThat(refused).isGreaterThan(40_000 - 16_385);
        StackTable.Written written = new StackTable.Written();
        Map<Integer, List<String>> stacks = new HashMap<>();
        int blocks = 0;
        for (byte[] block = table.news(written); block != null; block = table.news(written)) {
            assertThat(block.length).isLessThan(TraceFile.MAX_BLOCK);
            stacks.putAll(read(block));
            blocks++;
        }
        assertThat(blocks).isGreaterThan(1);
        assertThat(stacks).hasSize(40_000 - refused);
    }

    @Test
    void aHugeNameIsCutOff() {
        StackTraceElement huge = new StackTraceElement("app." + "X".repeat(60_000), "run", "Main.java", 1);
        assertThat(StackTable.textOf(huge)).hasSize(512);
    }
}
