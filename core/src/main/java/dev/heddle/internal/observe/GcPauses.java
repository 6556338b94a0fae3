package dev.heddle.internal.observe;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import dev.heddle.internal.trace.EventKind;
import dev.heddle.internal.trace.Recording;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/// Tells a recording of the pauses of the garbage collector, as the JVM reports them: afterwards, and in milliseconds.
final class GcPauses implements NotificationListener {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Recording recording;

    GcPauses(Recording recording) {
        this.recording = recording;
    }

    void begin() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (bean instanceof NotificationEmitter emitter && arePauses(bean.getName())) {
                emitter.addNotificationListener(this, null, null);
            }
        }
    }

    void end() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (bean instanceof NotificationEmitter emitter && arePauses(bean.getName())) {
                try {
                    emitter.removeNotificationListener(this);
                } catch (ListenerNotFoundException _) {
                    // the recording ended before it began
                }
            }
        }
    }

    /// Some beans report whole cycles, during most of which the program runs.
    private static boolean arePauses(String bean) {
        return !bean.contains("Cycles") && !bean.contains("Concurrent");
    }

    @Override
    public void handleNotification(Notification notification, @Nullable Object handback) {
        if (notification.getUserData() instanceof CompositeData data
                && notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
            GcInfo gc = info.getGcInfo();
            long uptime = ManagementFactory.getRuntimeMXBean().getUptime();
            long ago = Math.max(0, uptime - gc.getStartTime());
            recording
                    .foreign()
                    .note(
                            EventKind.GC,
                            -1,
                            ago * NANOS_PER_MILLI,
                            gc.getDuration() * NANOS_PER_MILLI,
                            recording.names().of(info.getGcName() + ": " + info.getGcCause()),
                            0);
        }
    }
}
