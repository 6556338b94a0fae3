/// What the kernel and the API both need: counters that they write while they run, why a thread waits and since when,
/// and how a goroutine is unwound.
///
/// The kernel's counters are plain fields with one writer at a time and racy readers; the API's count for the whole
/// JVM is a `LongAdder`. Traces, dumps and metrics are made elsewhere. This package depends on `dev.heddle.stats` only.
@NullMarked
package dev.heddle.internal.event;

import org.jspecify.annotations.NullMarked;
