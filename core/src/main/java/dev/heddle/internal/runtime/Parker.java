package dev.heddle.internal.runtime;

import java.util.concurrent.locks.LockSupport;

/// How a thread waits: `java.util.concurrent.locks.LockSupport`, or the replacement of a model checker.
///
/// Model checkers let `LockSupport.park` return at any time, so they never see a lost wake-up. With a parker made of
/// monitors they do. The property `heddle.parker` names such a class; it is read once.
public interface Parker {
    /// Waits for a permit or an interrupt. May return spuriously.  Any thread.
    void park(Object blocker);

    /// Like [#park(Object)], for at most `nanos`.  Any thread.
    void parkNanos(Object blocker, long nanos);

    /// Gives `thread` its permit.  Any thread.
    void unpark(Thread thread);

    /// The JDK's own parker.
    final class OfLockSupport implements Parker {
        @Override
        public void park(Object blocker) {
            LockSupport.park(blocker);
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, nanos);
        }

        @Override
        public void unpark(Thread thread) {
            LockSupport.unpark(thread);
        }
    }
}
