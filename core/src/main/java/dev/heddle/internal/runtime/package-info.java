/// The API's one door to the kernel: parking, scheduling points, timers.
///
/// Channels, wait groups, selects and contexts use this package and [dev.heddle.internal.event], and nothing else of
/// the implementation. They work the same on goroutines, on other virtual threads and on platform threads, also in a
/// JVM that hides its internals from Heddle, where no kernel can run.
@NullMarked
package dev.heddle.internal.runtime;

import org.jspecify.annotations.NullMarked;
