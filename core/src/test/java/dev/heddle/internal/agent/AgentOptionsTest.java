package dev.heddle.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heddle.internal.procs.ProcsSettings;
import dev.heddle.internal.settings.SettingsTable;
import dev.heddle.internal.settings.SettingsTable.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public final class AgentOptionsTest {

    @Test
    void nothingSaidIsNothingSet() {
        assertThat(AgentOptions.parse(null)).isEqualTo(new AgentOptions(0, 0, null, 0, null, null, null, null, null));
        assertThat(AgentOptions.parse("")).isEqualTo(new AgentOptions(0, 0, null, 0, null, null, null, null, null));
    }

    @Test
    void settingsAreSeparatedByCommas() {
        assertThat(AgentOptions.parse("procs=4,schedtrace=1000"))
                .isEqualTo(new AgentOptions(4, 1000, null, 0, null, null, null, null, null));
        assertThat(AgentOptions.parse("schedtrace=5,metrics=9464"))
                .isEqualTo(new AgentOptions(0, 5, null, 9464, null, null, null, null, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"procs=0", "procs=-1", "procs=four", "procs=", "procs", "procs=100000", "procs=4 "})
    void badNumbersAreRefusedWithTheirText(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentOptions.parse(text))
                .withMessageContaining("procs=")
                .withMessageContaining("it must be a number from 1 to " + ProcsSettings.MAX_PROCS);
    }

    @Test
    void aTraceNeedsAFile() {
        assertThat(AgentOptions.parse("trace=a.trace").trace()).isEqualTo("a.trace");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentOptions.parse("trace="))
                .withMessage("the agent's option trace= is refused: it must name a file.");
        assertThat(AgentOptions.parse("flight=10s").flight()).isEqualTo("10s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentOptions.parse("flight=10"))
                .withMessage("the agent's option flight=10 is refused: it must be a time such as 10s.");
        assertThat(AgentOptions.parse("flightlatency=50ms").latency()).isEqualTo("50ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentOptions.parse("flightlatency=50"))
                .withMessage("the agent's option flightlatency=50 is refused: it must be a time such as 50ms.");
        assertThat(AgentOptions.parse("stacks=every:10").stacks()).isEqualTo("every:10");
        for (String bad : List.of("10", "every:0", "every:", "every:x", "every:1000000000", "")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AgentOptions.parse("stacks=" + bad))
                    .withMessage(
                            "the agent's option stacks=" + bad + " is refused: it must be every:N, such as every:10.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"proc=4", "=4", "procs=4,,schedtrace=1", " procs=4"})
    void unknownOptionsAreRefusedWithTheKnownOnes(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentOptions.parse(text))
                .withMessageContaining("the agent has no option '")
                .withMessageContaining(
                        "there are procs=N, schedtrace=MILLISECONDS, preempt=CLASSES, metrics=PORT, observe=off, trace=FILE,"
                                + " flight=TIME, flightlatency=TIME and stacks=every:N");
    }

    @Test
    void theTableOfSettingsListsTheOptions() {
        String refusal = catchThrowableOfType(IllegalArgumentException.class, () -> AgentOptions.parse("none=1"))
                .getMessage();

        assertThat(SettingsTable.all().stream().map(Setting::agentOption).filter(it -> !it.isEmpty()))
                .containsExactlyInAnyOrder(
                        refusal.replaceFirst(".*there are (.*)\\.", "$1").split(", | and ", -1));
    }
}
