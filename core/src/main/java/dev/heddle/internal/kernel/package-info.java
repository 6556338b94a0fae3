/// The scheduler itself: processors, machines, and the loop that finds the next goroutine to run.
///
/// The last line of a method's documentation, after `Go:`, names the functions of Go's runtime that do the same job.
/// `docs/from-proc.go.md` is the index: it says of each function of `proc.go` where it is here, or why it is not. Where
/// the JVM forces a difference, the class explains it.
///
/// Kernel code is critical: it often runs on the stack of a virtual thread that must not unmount meanwhile. It
/// therefore pins that thread or runs on the carrier, takes only the kernel's own locks, makes no callbacks while it
/// holds one, and allocates only where a failure leaves all state unchanged. `HACKING.md` has the rules.
///
/// A code such as (N13) in a comment is the number of a note: N in `docs/notes/protocol.md`, F and D in
/// `docs/notes/go.md`, J and X in `docs/notes/jdk.md`. Codes such as (I1), S3 and R4 are steps of the essay that they
/// stand in, or of `SpinCoordinator`.
///
/// The data structures are in [dev.heddle.internal.queue]. Only [dev.heddle.internal.jdk] reaches the JDK's internals.
/// The table in `CONTRIBUTING.md` says which package may use which.
@NullMarked
package dev.heddle.internal.kernel;

import org.jspecify.annotations.NullMarked;
