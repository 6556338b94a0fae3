package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which machines [DetachedMachines] marks as hogs, and which it asks to demote. The machines never run, nor
/// does the system monitor: the test takes its place.
class HogMarksTest {

    private static final int PROCS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Kernel kernel = DrivenMachine.kernel(PROCS);

    /// Cannot demote, and says so at once: what it was asked for shows in the samples.
    private final Demoter demoter = new Demoter(kernel, () -> null);

    private final DetachedMachines detached = new DetachedMachines(kernel, demoter);
    private int machines;
    private long now;

    @BeforeEach
    void replaceTheMonitor() {
        demoter.prepare();
        await("the demoter knows that it cannot")
                .atMost(PATIENCE)
                .until(() -> demoter.ability() == Demoter.Ability.IMPOSSIBLE);
    }

    @AfterEach
    void close() {
        DrivenMachine.end(kernel);
    }

    private Machine machine() {
        Machine machine = new Machine(kernel, ++machines, "marked-" + machines);
        kernel.allMachines.add(machine);
        kernel.allMachines.update();
        return machine;
    }

    private Machine hog() {
        Machine machine = machine();
        detached.addHog(machine, Word.next(machine.word(), 0, Word.LOST), ++now);
        return machine;
    }

    @Test
    void aHogThatLostItsProcessorIsMarkedAtOnce() {
        Machine hog = hog();
        assertThat(hog.isFreeHog).isTrue();
        assertThat(hog.sample.isHog).isTrue();
        assertThat(detached.hogsAtFullPriority()).isOne();
        assertThat(hog.sample.isDemotionAsked).isFalse();
    }

    /// What was noted of an earlier turn of the same machine does not count.
    @Test
    void aHogBeginsANewTurn() {
        Machine machine = machine();
        machine.sample.isDemotionAsked = true;
        machine.sample.cpuAtBegin = 7;
        detached.addHog(machine, Word.next(machine.word(), 0, Word.LOST), ++now);
        assertThat(machine.sample.isDemotionAsked).isFalse();
        assertThat(machine.sample.cpuAtBegin).isNegative();
    }

    @Test
    void inACrowdANewHogIsDemotedAtOnce() {
        Machine[] hogs = {hog(), hog(), hog()};
        assertThat(detached.isCrowd()).isTrue();
        assertThat(hogs).extracting(it -> it.sample.isDemotionAsked).containsExactly(false, false, true);
    }

    @Test
    void theOldestHogMakesRoom() {
        Machine older = hog();
        Machine younger = hog();
        detached.demoteOldest();
        assertThat(older.sample.isDemotionAsked).isTrue();
        assertThat(younger.sample.isDemotionAsked).isFalse();
        detached.demoteOldest();
        assertThat(younger.sample.isDemotionAsked).isTrue();
    }

    /// The machine is in its loop again.
    @Test
    void aHogWhoseTurnIsOverIsForgotten() {
        Machine hog = hog();
        detached.sample(++now);
        assertThat(hog.sample.isHog).isFalse();
        assertThat(hog.isFreeHog).isFalse();
        assertThat(detached.hogsAtFullPriority()).isZero();
        assertThat(kernel.counters.freeHogs).isZero();
    }
}
