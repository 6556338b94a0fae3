package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What this package does while the JVM starts must stay cheap (J13): it runs before `main`, in an agent.
class StartUpTest {
    private static final String LOADED_LAST_BY_THE_JVM = " " + Main.class.getName() + " ";

    static final class Main {
        private Main() {}

        /// All that an agent needs before the first virtual thread.
        public static void main(String[] args) {
            ProcsWatcher watcher = ProcsWatcher.ofThisProcess(SystemFiles.real(), ProcsSettings.ofThisProcess());
            Pinning pinning =
                    Pinning.of(watcher.decision().settings(), watcher.limits(), NumaTopology.read(SystemFiles.real()));
            if (pinning == null
                    || pinning.stealOrder(watcher.decision().procs()).count() < 1) {
                throw new AssertionError("-Dheddle.pin=auto was given");
            }
        }
    }

    @Test
    void theStartUsesNoLambdaStreamRegexOrForeignFunction() throws Exception {
        List<String> lines = ChildJvm.withoutFlags(Main.class)
                .option("-Xlog:class+load:stdout:level", "-Dheddle.pin=auto")
                .succeed()
                .lines()
                .toList();

        int start = 0;
        while (!lines.get(start).contains(LOADED_LAST_BY_THE_JVM)) {
            start++;
        }
        List<String> loaded = lines.subList(start, lines.size());
        assertThat(loaded).anyMatch(it -> it.contains(NumaOrder.class.getName()));
        assertThat(loaded)
                .noneMatch(it -> it.contains("Lambda")
                        || it.contains("StringConcat")
                        || it.contains(" java.util.stream.")
                        || it.contains(" java.util.regex.")
                        || it.contains(" java.util.Formatter")
                        || it.contains(" java.nio.file.")
                        || it.contains(" java.lang.foreign."));
    }
}
