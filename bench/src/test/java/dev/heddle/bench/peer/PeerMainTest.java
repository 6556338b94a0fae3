package dev.heddle.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The line protocol, from the peer's side.
final class PeerMainTest {

    @Test
    void figuresComeBackInOneLine() throws IOException {
        assertThat(talk(job -> job.figure("double", 2 * job.size() + job.width()), "run it 20 1\n"))
                .matches("ok cpu=[0-9.]+ double=41.0 wall=[0-9.]+\n");
    }

    @Test
    void wrongResultsFail() throws IOException {
        assertThat(talk(job -> job.check(4, 3), "run it 1 1\n")).isEqualTo("failed the result is 3, not 4\n");
    }

    @Test
    void unknownProgramsAreUnsupported() throws IOException {
        assertThat(talk(job -> {}, "run other 1 1\n")).isEqualTo("unsupported\n");
    }

    @Test
    void programsMayAskTheirCaller() throws IOException {
        assertThat(talk(job -> job.figure("port", Double.parseDouble(job.ask("port"))), "run it 1 1\n42\n"))
                .startsWith("ask port\nok cpu=")
                .contains(" port=42.0 ");
    }

    @Test
    void whatNeverHappensIsCalledSo() throws IOException {
        assertThat(talk(job -> job.figure("a", Double.POSITIVE_INFINITY), "run it 1 1\n"))
                .startsWith("ok a=never ");
    }

    private static String talk(Program program, String lines) throws IOException {
        Idiom idiom = new Idiom() {
            @Override
            public void run(Program it, Job job) throws Exception {
                it.run(job);
            }

            @Override
            public Map<String, Program> programs() {
                return Map.of("it", program);
            }
        };
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PeerMain(
                        idiom,
                        new BufferedReader(new StringReader(lines)),
                        new PrintStream(out, true, StandardCharsets.UTF_8))
                .serve();
        return out.toString(StandardCharsets.UTF_8);
    }
}
