package dev.heddle.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.bench.heddle.HeddleIdiom;
import dev.heddle.bench.jox.JoxIdiom;
import dev.heddle.bench.threads.ThreadsIdiom;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every program runs once, small, and checks its own result.
final class ProgramsTest {

    /// Size and width, where ten and ten will not do.
    private static final Map<String, int[]> SIZES = Map.of(
            "skynet", new int[] {1_000, 0},
            "sieve", new int[] {10, 29},
            "fib", new int[] {10, 55},
            "select", new int[] {40, 4},
            "fanout", new int[] {500, 0},
            "hogs", new int[] {100, 1},
            "busyecho", new int[] {50, 2},
            "blocking", new int[] {1, 0});

    @TestFactory
    Stream<DynamicTest> programsFindTheirResultRight() {
        return Stream.of(new HeddleIdiom(), new ThreadsIdiom(), new JoxIdiom())
                .flatMap(idiom -> idiom.programs().keySet().stream()
                        .sorted()
                        .map(name -> DynamicTest.dynamicTest(
                                idiom.getClass().getSimpleName() + " " + name, () -> run(idiom, name))));
    }

    private static void run(Idiom idiom, String name) throws Exception {
        int[] size = SIZES.getOrDefault(name, new int[] {10, 10});
        Job job = new Job(size[0], size[1], question -> clientOf(name, size, question));
        idiom.run(idiom.programs().get(name), job);
        switch (name) {
            case "echo" -> assertThat(job.line()).matches("echo=[0-9.]+");
            case "hogs", "busyecho" -> assertThat(job.line()).matches("p50=\\S+ p99=\\S+");
            case "memory" -> assertThat(job.line()).startsWith("bytes=");
            case "blocking" -> assertThat(job.line()).matches("block=[0-9.]+ release=[0-9.]+ threads=[0-9.]+");
            default -> assertThat(job.line()).isEmpty();
        }
    }

    /// The caller's part of a server: a client in this JVM.
    private static String clientOf(String name, int[] size, String question) {
        String port = question.substring("ask listening ".length());
        Job client = new Job(size[0], size[1], _ -> port);
        EchoClient idiom = new EchoClient();
        try {
            idiom.run(idiom.programs().get(name), client);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return client.line();
    }
}
