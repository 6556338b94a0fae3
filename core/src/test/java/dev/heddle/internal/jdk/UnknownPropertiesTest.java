package dev.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.internal.settings.SettingsTable;
import dev.heddle.testing.ChildJvm;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class UnknownPropertiesTest {

    @Test
    void anUnknownPropertyIsReportedWithTheOneThatWasMeant() {
        assertThat(UnknownProperties.complaints(
                        new String[] {"-Xmx1g", "-Dheddle.proc=4", "-Dheddle.frobnicate", "-Dapp.heddle.x=1"}))
                .containsExactly(
                        "heddle: ignoring -Dheddle.proc=4: there is no such setting (did you mean 'heddle.procs'?);"
                                + " docs/settings.md lists all.",
                        "heddle: ignoring -Dheddle.frobnicate: there is no such setting; docs/settings.md lists all.");
    }

    @Test
    void propertiesOfTheTestkitAreNotReported() {
        assertThat(UnknownProperties.complaints(new String[] {"-Dheddle.test.replay=1:4=2"}))
                .isEmpty();
    }

    @Test
    void everyDocumentedPropertyIsKnown() {
        String[] arguments = SettingsTable.all().stream()
                .map(it -> "-D" + it.property() + "=1")
                .toArray(String[]::new);

        assertThat(arguments).contains("-Dheddle.procs=1");
        assertThat(UnknownProperties.complaints(arguments)).isEmpty();
    }

    @Test
    void aProgramReportsItOnceHoweverManySchedulersItHas() throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.of(TwoSchedulers.class)
                .option("-Dheddle.procs=2", "-Dheddle.stealz=1")
                .run();

        assertThat(result.lines())
                .containsExactly(
                        "done",
                        "heddle: ignoring -Dheddle.stealz=1: there is no such setting (did you mean"
                                + " 'heddle.steals'?); docs/settings.md lists all.");
    }

    static final class TwoSchedulers {

        private TwoSchedulers() {}

        public static void main(String[] args) {
            long _ = Go.numGoroutine();
            Scheduler.builder().build().close();
            Scheduler.builder().build().close();
            System.out.println("done");
        }
    }
}
