package dev.heddle;

import static dev.heddle.Select.orElse;
import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.kernel.ForgetfulParker;
import dev.heddle.internal.kernel.MonitorParker;
import dev.heddle.internal.runtime.Parker;
import dev.heddle.testing.ChildJvm;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What does not wait is checked for linearizability; what waits, by the programs of [ChanModel].
class ChanLincheckTest {
    private static final int SCALE = Integer.getInteger("heddle.lincheck.scale", 1);

    @Test
    void aBufferIsLinearizable() {
        modelCheck(OneBuffer.class);
        stress(OneBuffer.class);
    }

    @Test
    void twoChannelsAndSelectAreLinearizable() {
        modelCheck(TwoChannels.class);
        stress(TwoChannels.class);
    }

    @Test
    void noInterleavingLosesAWakeUpOrAValue() throws Exception {
        assertThat(runModel(MonitorParker.class, 25 * SCALE)).contains("programs hold");
    }

    @Test
    void theModelCheckerNoticesALostWakeUp() throws Exception {
        assertThat(runModel(ForgetfulParker.class, 100, "bufferOfOne"))
                .contains("checking bufferOfOne")
                .doesNotContain("hold");
    }

    private static void modelCheck(Class<?> test) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(3)
                .iterations(5 * SCALE)
                .invocationsPerIteration(50 * SCALE)
                .check(test);
    }

    private static void stress(Class<?> test) {
        new StressOptions()
                .threads(3)
                .actorsPerThread(3)
                .iterations(5 * SCALE)
                .invocationsPerIteration(200 * SCALE)
                .check(test);
    }

    /// Runs [ChanModel] in a JVM of its own, because the parker is chosen when Heddle's classes are initialised.
    private static String runModel(Class<? extends Parker> parker, int invocations, String... programs)
            throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(invocations)));
        arguments.addAll(List.of(programs));
        ChildJvm child = ChildJvm.withClassPath(
                System.getProperty("java.class.path"), ChanModel.class, arguments.toArray(String[]::new));
        for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (argument.startsWith("--add-")
                    || argument.startsWith("--sun-misc")
                    || argument.startsWith("-XX:+EnableD")) {
                child.option(argument);
            }
        }
        ChildJvm.Result result =
                child.option("-Dheddle.parker=" + parker.getName()).run();
        return result.out() + result.err();
    }

    /// The operations that never wait.
    @Param(name = "value", gen = IntGen.class, conf = "1:3")
    public static class OneBuffer {
        private final Chan<Integer> chan = Chan.make(2);

        @Operation
        public boolean trySend(@Param(name = "value") int value) {
            return chan.trySend(value);
        }

        @Operation
        public @Nullable Integer tryReceive() {
            return chan.tryReceive();
        }

        @Operation
        public String poll() {
            return chan.poll().toString();
        }

        @Operation
        public void close() {
            chan.close();
        }
    }

    /// Select with `orElse`, which must see both channels at one moment. The channels are used alike, so
    /// that the random choice between them cannot be seen: together they are a counter from 0 to 2.
    public static class TwoChannels {
        private final Chan<String> a = Chan.make(1);
        private final Chan<String> b = Chan.make(1);

        @Operation
        public @Nullable String receiveFromEither() throws InterruptedException {
            var fromA = receive(a);
            var fromB = receive(b);
            Select.Case chosen = select(fromA, fromB, orElse());
            return chosen == fromA ? fromA.value() : chosen == fromB ? fromB.value() : null;
        }

        @Operation
        public boolean sendToEither() throws InterruptedException {
            return select(send(b, "x"), send(a, "x"), orElse()) instanceof Select.Send<?>;
        }
    }
}
