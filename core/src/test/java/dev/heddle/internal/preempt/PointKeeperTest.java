package dev.heddle.internal.preempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Which hogs have points. The test's own thread is the hog: its stack has this class.
class PointKeeperTest {

    private final PointKeeper keeper = new PointKeeper();

    private CallSite pointOfThisClass() {
        return keeper.link(MethodHandles.lookup(), "point", MethodType.methodType(void.class));
    }

    @Test
    void pointsOfTheHogsClassesAreOpened() {
        CallSite site = pointOfThisClass();
        MethodHandle shut = site.getTarget();
        assertThat(keeper.open(Thread.currentThread())).isTrue();
        assertThat(site.getTarget()).isNotSameAs(shut);
    }

    /// A second hog in the same code, or the same one a little later: it will reach a point, however little the
    /// operating system runs it. A busy computer must not cost it the processor.
    @Test
    void pointsThatAreOpenAlreadyCountToo() {
        CallSite site = pointOfThisClass();
        assertThat(keeper.open(Thread.currentThread())).isTrue();
        MethodHandle opened = site.getTarget();
        assertThat(keeper.open(Thread.currentThread())).isTrue();
        assertThat(site.getTarget()).isSameAs(opened);
    }

    @Test
    void otherCodeHasNone() throws InterruptedException {
        CallSite _ = pointOfThisClass();
        Thread other = Thread.ofPlatform().daemon().start(LockSupport::park);
        assertThat(keeper.open(other)).isFalse();
        assertThat(keeper.open(null)).as("no thread is mounted any more").isFalse();
        LockSupport.unpark(other);
        other.join();
    }
}
