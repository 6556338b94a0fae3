package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import org.junit.jupiter.api.Test;

final class ClosedAtExitTest {

    static final class Waiting {
        private Waiting() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (ClosedAtExit _ = new ClosedAtExit(() -> System.out.println("closed"))) {
                System.out.println("ready");
                Thread.sleep(1_000_000);
            }
        }
    }

    @Test
    void aSignalCloses() throws Exception {
        try (LiveJvm jvm = ChildJvm.withClassPath(System.getProperty("java.class.path"), Waiting.class)
                .start()) {
            assertThat(jvm.readLine()).isEqualTo("ready");
            jvm.signal("TERM");
            assertThat(jvm.readLine()).isEqualTo("closed");
        }
    }
}
