package dev.heddle.observe;

/// What `heddle doctor` asks. Made by whoever attaches, as [SchedulersMXBean] is.
public interface EvidenceMXBean {

    /// Looks at all schedulers for so long, and returns what it saw: see [Recording#fromBytes].
    byte[] record(long millis);
}
