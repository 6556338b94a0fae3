package dev.heddle.management;

/// The bean that `heddle doctor` queries. Like [SchedulersMXBean], it is created by the tool that attaches.
public interface EvidenceMXBean {

    /// Records all schedulers for `millis` milliseconds and returns the result: see `SampleWindow.fromBytes`.
    byte[] record(long millis);
}
