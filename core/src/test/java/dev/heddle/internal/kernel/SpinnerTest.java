package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.queue.RunBatch;
import dev.heddle.internal.queue.StealRule;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A machine that searches and finds nothing: its naps, and its last scan before it sleeps. The test drives it, beside
/// one that is busy.
class SpinnerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Kernel kernel = DrivenMachine.kernel(2);
    private final DrivenMachine busy = new DrivenMachine(kernel);
    private final DrivenMachine spinner = new DrivenMachine(kernel).spin();
    private final Thief thief = new Thief(spinner.machine, kernel, new DueTimers(spinner.machine, kernel));

    @AfterEach
    void close() {
        DrivenMachine.end(kernel);
    }

    private boolean nap(boolean isFirst) {
        busy.processor.countSwitch(); // more work may come from there
        // A nap in the future is the second of a search that is not over yet, however slow this computer is.
        spinner.machine.napsSince = isFirst ? 0 : Jdk.nanoTime() + TimeUnit.HOURS.toNanos(1);
        return kernel.spin.nap(spinner.machine, spinner.processor, thief);
    }

    // ---- naps

    /// The word shows the nap while it lasts, with a number of its own: the processor can be taken meanwhile.
    private void napsOnce(boolean isFirst) {
        long before = spinner.machine.word();
        assertThat(nap(isFirst)).isTrue();
        assertThat(spinner.machine.word()).isEqualTo(Word.next(before, Word.KERNEL));
        assertThat(spinner.processor.naps).isOne();
        assertThat(spinner.machine.spinning).isTrue();
    }

    @Test
    void duringTheFirstNapTheProcessorCanBeTaken() {
        napsOnce(/* isFirst= */ true);
    }

    @Test
    void duringALaterNapTheProcessorCanBeTaken() {
        napsOnce(/* isFirst= */ false);
    }

    @Test
    void onlyLaterNapsAreAnnouncedAndTheAnnouncementEnds() {
        assertThat(kernel.spin.announceNap(busy.machine)).isTrue();
        assertThat(nap(/* isFirst= */ true)).as("needs no announcement").isTrue();
        assertThat(nap(/* isFirst= */ false)).as("one napper is enough").isFalse();
        kernel.spin.withdrawNap(busy.machine);
        assertThat(nap(/* isFirst= */ false)).isTrue();
        assertThat(kernel.spin.announceNap(busy.machine))
                .as("withdrawn at the end of the nap")
                .isTrue();
    }

    /// A spinner that does not sleep takes the CPU from the thread that it waits for. The limit is half of what
    /// 200 naps take at least: a park may return early.
    private void napsTakeTime(boolean isFirst) {
        long begin = System.nanoTime();
        for (int i = 0; i < 200; i++) {
            assertThat(nap(isFirst)).isTrue();
        }
        assertThat(System.nanoTime() - begin).isGreaterThan(200 * 50_000 / 2);
    }

    @Test
    void aFirstNapIsASleep() {
        napsTakeTime(/* isFirst= */ true);
    }

    @Test
    void aLaterNapIsASleep() {
        napsTakeTime(/* isFirst= */ false);
    }

    /// The scan after the announcement: it sees what was published before. A nap would take the permit of the thread.
    private void aLaterNapIsSkipped() throws InterruptedException {
        boolean[] isAnnounced = new boolean[1];
        Thread carrier = Thread.ofPlatform().daemon().start(() -> {
            LockSupport.unpark(Thread.currentThread());
            isAnnounced[0] = nap(/* isFirst= */ false);
            LockSupport.park(); // for ever if the permit is gone
        });
        assertThat(carrier.join(PATIENCE)).as("did not nap").isTrue();
        assertThat(isAnnounced[0]).as("had a nap to skip").isTrue();
    }

    @Test
    void aLaterNapIsSkippedIfTheGlobalQueueHasWork() throws InterruptedException {
        putGlobally();
        aLaterNapIsSkipped();
    }

    @Test
    void aLaterNapIsSkippedIfAProcessorHasWork() throws InterruptedException {
        busy.processor.runQueue.put(new TestGoroutine(() -> {}), /* next= */ false, busy.processor);
        aLaterNapIsSkipped();
    }

    private void putGlobally() {
        kernel.lock.lock();
        try {
            assertThat(kernel.globalQueue.makeRoomLocked(new RunBatch())).isTrue();
            kernel.globalQueue.putLocked(new TestGoroutine(() -> {}));
        } finally {
            kernel.lock.held = 0;
        }
    }

    // ---- the last scan

    @Test
    void theScanSeesTheGlobalQueue() {
        assertThat(kernel.spin.hasQueuedWork()).isFalse();
        putGlobally();
        assertThat(kernel.spin.hasQueuedWork()).isTrue();
    }

    @Test
    void aTokenThatDoesNotExistCannotBeGivenBack() {
        kernel.spin.stopSpinning(spinner.machine);
        assertThatThrownBy(kernel.spin::returnToken)
                .isInstanceOf(SchedulerBug.class)
                .hasMessage("negative number of spinning machines");
        kernel.spin.takeToken(spinner.machine);
        kernel.spin.takeToken(spinner.machine); // the number is right again
    }

    private void goIdle() throws InterruptedException {
        Thread carrier =
                Thread.ofPlatform().daemon().start(() -> kernel.spin.goIdle(spinner.machine, spinner.processor));
        assertThat(carrier.join(PATIENCE)).as("did not sleep").isTrue();
    }

    /// R4, R5: an entry was published after the spinner had searched there.
    @Test
    void aSpinnerThatSeesWorkInTheLastScanSearchesAgain() throws InterruptedException {
        busy.processor.runQueue.put(new TestGoroutine(() -> {}), /* next= */ false, busy.processor);
        goIdle();
        assertThat(spinner.machine.p).isSameAs(spinner.processor);
        assertThat(spinner.machine.spinning).isTrue();
        assertThat(kernel.spin.spinning()).isOne();
    }

    /// R2: the need is answered by the machine itself.
    @Test
    void aMachineThatIsNeededSpins() throws InterruptedException {
        kernel.spin.stopSpinning(spinner.machine);
        kernel.spin.requestSpinner();
        goIdle();
        assertThat(spinner.machine.spinning).isTrue();
        assertThat(kernel.spin.needSpinning()).isZero();
    }

    /// An idle processor keeps nothing alive that thieves took from it.
    @Test
    void aProcessorThatGoesIdleForgetsWhatWasStolen() throws InterruptedException {
        WeakReference<Runnable> stolen = stolenFromTheSpinner();
        busy.processor.runQueue.put(new TestGoroutine(() -> {}), /* next= */ false, busy.processor);
        goIdle();
        assertCollected(stolen);
    }

    @Test
    void aProcessorThatIsHandedOffAndGoesIdleForgetsWhatWasStolen() {
        WeakReference<Runnable> stolen = stolenFromTheSpinner();
        kernel.machines.releaseAndHandOff(spinner.machine); // idle, because another machine spins
        assertThat(spinner.processor.isIdle()).isTrue();
        assertCollected(stolen);
    }

    private WeakReference<Runnable> stolenFromTheSpinner() {
        Runnable entry = new TestGoroutine(() -> {});
        spinner.processor.runQueue.put(entry, /* next= */ false, spinner.processor);
        assertThat(busy.processor.runQueue.stealFrom(spinner.processor.runQueue, StealRule.GO, false))
                .isSameAs(entry);
        return new WeakReference<>(entry);
    }

    private void assertCollected(WeakReference<Runnable> entry) {
        await("collected").atMost(PATIENCE).until(() -> {
            System.gc();
            return entry.get() == null;
        });
        Reference.reachabilityFence(kernel);
    }
}
