package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.kernel.EventFeed;
import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.kernel.KernelThread;
import org.jspecify.annotations.Nullable;

/// Reports what one kernel's system monitor did as events of the flight recorder. The thread exists once the recorder
/// was started, and sleeps while there is nothing to report or no recording runs.
final class EventReporter extends Thread implements KernelThread {

    private final Kernel kernel;
    private final EventFeed feed = new EventFeed(this);
    private volatile boolean isEnding;

    EventReporter(Kernel kernel) {
        super(null, null, kernel.name() + "-events", 0, /* inheritInheritableThreadLocals= */ false);
        this.kernel = kernel;
        setDaemon(true);
    }

    /// Asks the kernel for events while a recording runs. Any thread.
    void listen(boolean isRecording) {
        kernel.setEventFeed(isRecording && !isEnding ? feed : null);
    }

    /// The kernel has ended. Any thread.
    void end() {
        isEnding = true;
        Jdk.unparkCarrier(this);
    }

    @Override
    public void run() {
        FlightEvents.add(this);
        try {
            while (!isEnding) {
                EventFeed.Event event = feed.poll();
                if (event == null) {
                    Jdk.parkSelf(0);
                } else {
                    report(event);
                }
            }
        } finally {
            FlightEvents.remove(this);
        }
    }

    private void report(EventFeed.Event event) {
        Thread thread = event.thread();
        String place = thread == null ? null : placeOf(kernel, thread);
        switch (event.kind()) {
            case DECLARED -> handOff(event, "blocking", thread, place);
            case UNDECLARED -> handOff(event, "undeclared", thread, place);
            case HOG -> {
                handOff(event, "hog", thread, place);
                hog(event, thread, place);
            }
            case DETACHED_HOG -> hog(event, thread, place);
        }
    }

    private void handOff(EventFeed.Event from, String reason, @Nullable Thread thread, @Nullable String place) {
        HandOffEvent event = new HandOffEvent();
        event.scheduler = Inspector.nameOf(kernel);
        event.reason = reason;
        event.processor = from.processor();
        event.occupiedFor = from.nanos();
        event.carrier = from.machine();
        event.virtualThread = thread;
        event.place = place;
        event.commit();
    }

    private void hog(EventFeed.Event from, @Nullable Thread thread, @Nullable String place) {
        HogEvent event = new HogEvent();
        event.scheduler = Inspector.nameOf(kernel);
        event.cpuTime = from.nanos();
        event.carrier = from.machine();
        event.virtualThread = thread;
        event.place = place;
        event.commit();
    }

    /// The innermost frame of the program, as stack traces show it; null if the thread has none.
    static @Nullable String placeOf(Kernel kernel, Thread thread) {
        var picture = GoroutineReader.of(kernel, thread, /* frames= */ 64);
        if (picture == null || picture.stack().isEmpty()) {
            return null;
        }
        return Frames.ofProgram(picture.stack());
    }
}
