package dev.heddle.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Peers that are small shell scripts.
final class PeerProcessTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void questionsInTheMiddleOfARunAreAnswered() throws InterruptedException {
        try (PeerProcess peer = script("read request; echo ask port; read port; echo ok echo=$port")) {
            assertThat(peer.run("run echo 1 1", LONG, question -> question.equals("port") ? "42" : "?"))
                    .isEqualTo(new Answer.Figures(Map.of("echo", 42.0)));
        }
    }

    @Test
    void aPeerThatDoesNotAnswerIsKilledAndStartedAgain() throws InterruptedException {
        try (PeerProcess peer = script("while read request; do [ $request = hang ] || echo ok wall=1; done")) {
            assertThat(peer.run("hang", Duration.ofSeconds(1), question -> question))
                    .isEqualTo(new Answer.Failed("no answer in 1 s"));
            assertThat(peer.run("again", LONG, question -> question))
                    .isEqualTo(new Answer.Figures(Map.of("wall", 1.0)));
        }
    }

    @Test
    void aPeerThatEndsIsReported() throws InterruptedException {
        try (PeerProcess peer = script("read request; exit 1")) {
            assertThat(peer.run("run", LONG, question -> question))
                    .isEqualTo(new Answer.Failed("its process ended during the run"));
        }
    }

    @Test
    void aPeerThatCannotStartIsReported() throws InterruptedException {
        Peer missing = new Peer("missing", "", List.of("/no/such/program"), Map.of());
        try (PeerProcess peer = missing.start()) {
            assertThat(peer.run("run", LONG, question -> question)).isInstanceOf(Answer.Failed.class);
        }
    }

    private static PeerProcess script(String text) {
        return new Peer("script", "", List.of("sh", "-c", text), Map.of()).start();
    }
}
