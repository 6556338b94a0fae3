package dev.heddle.cli.web;

import dev.heddle.client.JvmConnection;
import dev.heddle.doctor.DoctorRounds;
import dev.heddle.doctor.FindingLog;
import dev.heddle.doctor.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// What the doctor finds while pages look: findings as they come, and when they have gone. The newest is the first.
final class Findings implements Inquiry.Round {

    private static final Duration WINDOW = Duration.ofSeconds(5);

    /// Older ones have gone long ago.
    private static final int MOST = 50;

    private final LongSupplier millisNow;
    private final DoctorRounds rounds = new DoctorRounds(WINDOW);
    private final Deque<Map<String, Object>> entries = new ArrayDeque<>(); // guarded by this object's monitor
    private boolean hasLooked; // guarded by this object's monitor

    /// @param millisNow the clock of the page's time axis
    Findings(LongSupplier millisNow) {
        this.millisNow = millisNow;
    }

    @Override
    public Duration ask(JvmConnection jvm) throws IOException {
        List<FindingLog.Change> changes = rounds.examine(jvm);
        note(changes);
        return rounds.pause();
    }

    private synchronized void note(List<FindingLog.Change> changes) {
        hasLooked = true;
        for (FindingLog.Change change : changes) {
            String key = change.finding().cause().key();
            if (!change.isNew()) {
                entries.stream()
                        .filter(it -> key.equals(it.get("cause"))
                                && change.scheduler().equals(it.get("scheduler"))
                                && !it.containsKey("goneMillis"))
                        .forEach(it -> it.put("goneMillis", millisNow.getAsLong()));
                continue;
            }
            Map<String, Object> entry = new LinkedHashMap<>(Report.document(change.finding()));
            entry.put("scheduler", change.scheduler());
            entry.put("sinceMillis", millisNow.getAsLong());
            entries.addFirst(entry);
            if (entries.size() > MOST) {
                entries.removeLast();
            }
        }
    }

    synchronized Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("hasLooked", hasLooked);
        document.put("entries", entries.stream().map(LinkedHashMap::new).toList());
        return document;
    }
}
