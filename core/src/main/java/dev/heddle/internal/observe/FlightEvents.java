package dev.heddle.internal.observe;

import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.internal.wire.FoundCause;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/// Heddle's events in the JVM's flight recorder: their registration, and the periodic ones. Loaded once the
/// recorder was started.
///
/// ADR 12 says why the system monitor does not write events itself.
final class FlightEvents implements FlightRecorderListener {

    /// Events of one period at most: the stacks behind them cost time, and more of the same tell nothing new.
    private static final int BLOCKED_CARRIERS = 64;

    private static final FlightEvents THIS_JVM = new FlightEvents();

    private final List<EventReporter> reporters = new CopyOnWriteArrayList<>();
    private boolean isRegistered; // guarded by this object's monitor

    // The recorder's periodic thread only.
    private Map<Thread, Blocked> blockedBefore = new HashMap<>();
    private final ThrottlingWatch throttling = new ThrottlingWatch();

    /// A blocked carrier of the last period.
    private record Blocked(long sleep, long sinceNanos) {}

    private FlightEvents() {}

    // ---- life cycle

    static void add(EventReporter reporter) {
        THIS_JVM.register();
        THIS_JVM.reporters.add(reporter);
        reporter.listen(isRecording());
    }

    static void remove(EventReporter reporter) {
        THIS_JVM.reporters.remove(reporter);
        reporter.listen(false);
    }

    private synchronized void register() {
        if (!isRegistered) {
            isRegistered = true;
            List.of(HandOffEvent.class, HogEvent.class, DeadlockEvent.class, DoctorFindingEvent.class)
                    .forEach(FlightRecorder::register);
            FlightRecorder.addPeriodicEvent(BlockedCarrierEvent.class, this::reportBlockedCarriers);
            FlightRecorder.addPeriodicEvent(ThrottlingEvent.class, this::reportThrottling);
            FlightRecorder.addListener(this);
        }
    }

    @Override
    public void recordingStateChanged(Recording recording) {
        boolean isRecording = isRecording();
        reporters.forEach(it -> it.listen(isRecording));
    }

    private static boolean isRecording() {
        return FlightRecorder.getFlightRecorder().getRecordings().stream()
                .anyMatch(it -> it.getState() == RecordingState.RUNNING);
    }

    // ---- periodic events

    private void reportBlockedCarriers() {
        Map<Thread, Blocked> seen = new HashMap<>();
        for (Kernel kernel : Inspector.kernels()) {
            List<Inspector.BlockedCarrier> blocked = Inspector.blockedCarriers(kernel);
            int left = BLOCKED_CARRIERS;
            for (Inspector.BlockedCarrier each : blocked) {
                Blocked before = blockedBefore.get(each.carrier());
                if (before == null || before.sleep != each.sleep()) {
                    seen.put(each.carrier(), new Blocked(each.sleep(), System.nanoTime()));
                    continue;
                }
                seen.put(each.carrier(), before);
                if (left > 0) {
                    left--;
                    report(kernel, each, System.nanoTime() - before.sinceNanos, blocked.size());
                }
            }
        }
        blockedBefore = seen;
    }

    private static void report(Kernel kernel, Inspector.BlockedCarrier blocked, long nanos, int all) {
        BlockedCarrierEvent event = new BlockedCarrierEvent();
        event.scheduler = Inspector.nameOf(kernel);
        event.reason = blocked.pinned() ? "pinned" : "syscall";
        event.blockedFor = nanos;
        event.blockedCarriers = all;
        event.carrier = blocked.carrier();
        event.virtualThread = blocked.thread();
        event.place = EventReporter.placeOf(kernel, blocked.thread());
        event.commit();
    }

    /// The quota is the process's, so any scheduler has the figures.
    private void reportThrottling() {
        Inspector.kernels().stream()
                .findFirst()
                .ifPresent(it -> throttling.report(it.limits().limits()));
    }

    // ---- single events

    /// A command names a cause that it found. Any thread.
    static void finding(String scheduler, FoundCause found) {
        THIS_JVM.register();
        DoctorFindingEvent event = new DoctorFindingEvent();
        event.scheduler = scheduler;
        event.cause = found.cause();
        event.title = found.title();
        event.evidence = found.evidence();
        event.remedy = found.remedy();
        event.commit();
    }

    /// The program is about to be ended without shutdown hooks, one of which writes the recordings: writes them
    /// here.
    static void deadlock(Kernel kernel, String message) {
        THIS_JVM.register();
        DeadlockEvent event = new DeadlockEvent();
        event.scheduler = Inspector.nameOf(kernel);
        event.message = message;
        event.goroutines = kernel.live();
        event.commit();
        Set<Path> written = new HashSet<>();
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            Path file = recording.getDestination();
            if (recording.getDumpOnExit() && file != null && written.add(file)) {
                try {
                    recording.dump(file);
                } catch (IOException e) {
                    System.err.println("heddle: the recording could not be written to " + file + ": " + e.getMessage());
                }
            }
        }
    }
}
