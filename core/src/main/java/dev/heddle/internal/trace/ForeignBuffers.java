package dev.heddle.internal.trace;

import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Where threads write that are no machine of the scheduler concerned: platform threads, system monitors, machines of
/// other schedulers.
///
/// They share a few buffers. A thread takes the first one that it finds free, from a place that its id tells,
/// by CAS, and reads the clock only then. The holder needs a tenth of a microsecond. If the operating system
/// suspends a holder, the others use another buffer; if all are busy for long, the event is dropped and
/// counted. No thread is unmounted while it holds one: callers are pinned or no virtual threads.
public final class ForeignBuffers {

    private static final VarHandle HELD;

    static {
        try {
            HELD = lookup().findVarHandle(Stripe.class, "isHeld", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// A power of two.
    static final int STRIPES = 8;

    private static final int ROUNDS = 1000;

    /// One buffer and its lock.
    private static final class Stripe {
        final TraceBuffer buffer;

        @SuppressWarnings("UnusedVariable") // accessed through HELD
        private boolean isHeld;

        Stripe(TraceBuffer buffer) {
            this.buffer = buffer;
        }
    }

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final AtomicLong dropped = new AtomicLong();

    ForeignBuffers(TraceBuffer[] buffers) {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(buffers[i]);
        }
    }

    /// An event of any kind, with as many numbers as it has. Any thread that cannot be unmounted here.
    public void note(EventKind kind, int scheduler, long a, long b, long c, long d) {
        long thread = Thread.currentThread().threadId();
        Stripe stripe = acquire(thread);
        if (stripe != null) {
            stripe.buffer.noteForeign(kind, thread, scheduler, a, b, c, d);
            HELD.setRelease(stripe, false);
        }
    }

    /// An event whose last field is a text. Any thread that cannot be unmounted here.
    public void note(EventKind kind, int scheduler, long a, long b, long c, String text) {
        long thread = Thread.currentThread().threadId();
        Stripe stripe = acquire(thread);
        if (stripe != null) {
            stripe.buffer.noteForeign(kind, thread, scheduler, a, b, c, text);
            HELD.setRelease(stripe, false);
        }
    }

    private @Nullable Stripe acquire(long thread) {
        int first = (int) thread;
        for (int i = 0; i < ROUNDS; i++) {
            Stripe stripe = stripes[(first + i) & (STRIPES - 1)];
            if (HELD.compareAndSet(stripe, false, true)) {
                return stripe;
            }
            if ((i & (STRIPES - 1)) == STRIPES - 1) {
                Thread.onSpinWait();
            }
        }
        dropped.incrementAndGet();
        return null;
    }

    long dropped() {
        return dropped.get();
    }
}
