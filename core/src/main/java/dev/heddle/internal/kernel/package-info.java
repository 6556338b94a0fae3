/// The scheduler itself: processors, machines, and the loop that finds the next goroutine to run.
///
/// A reader who knows Go's `proc.go` finds each of its functions here, named in the documentation of the method that
/// does the same job. Where the JVM forces a difference, the class says which and why.
///
/// Kernel code is critical: it often runs on the stack of a virtual thread that must not unmount meanwhile. It
/// therefore pins that thread or runs on the carrier, takes only the kernel's own locks, calls nobody
/// back while it holds one, and allocates only where failing changes nothing. `HACKING.md` has the rules.
///
/// The kernel uses [dev.heddle.internal.queue], emits to [dev.heddle.internal.event], and reaches the JDK's internals
/// only through
/// [dev.heddle.internal.jdk]. Only the API uses the kernel.
@NullMarked
package dev.heddle.internal.kernel;

import org.jspecify.annotations.NullMarked;
