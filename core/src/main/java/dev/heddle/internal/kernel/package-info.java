/// The scheduler itself: processors, machines, and the loop that finds the next goroutine to run.
///
/// Readers of Go's `proc.go` find each of its functions here: the documentation of a method names the function that
/// does the same job. Where the JVM forces a difference, the class explains it.
///
/// Kernel code is critical: it often runs on the stack of a virtual thread that must not unmount meanwhile. It
/// therefore pins that thread or runs on the carrier, takes only the kernel's own locks, makes no callbacks while it
/// holds one, and allocates only where a failure leaves all state unchanged. `HACKING.md` has the rules.
///
/// The kernel uses [dev.heddle.internal.queue], emits to [dev.heddle.internal.event], and reaches the JDK's internals
/// only through [dev.heddle.internal.jdk]. Only the API uses the kernel.
@NullMarked
package dev.heddle.internal.kernel;

import org.jspecify.annotations.NullMarked;
