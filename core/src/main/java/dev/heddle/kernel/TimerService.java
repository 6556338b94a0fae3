package dev.heddle.kernel;

/// Runs callbacks at their time.
///
/// A callback runs on a carrier, in the middle of the scheduling loop: it must not block, park, or take a lock other
/// than by trying (N17). What takes longer is given to a goroutine.
public interface TimerService {
    /// Runs `callback` once, `delayNanos` from now or soon after; at once, but not on this stack, if that is not
    /// positive.  Any thread.
    TimerHandle schedule(Runnable callback, long delayNanos);
}
