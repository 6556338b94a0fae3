/// Go's scheduler for Java's virtual threads: the public API.
///
/// A goroutine (G) is a real virtual thread, a machine (M) is the carrier thread that runs it, and a processor (P) is
/// the right to run goroutines, together with a queue of them. There are as many Ps as goroutines may run at once, and
/// as many Ms as are needed to keep every P busy when some Ms block.
///
/// ```
///   Go.go(body) ──> G ──> [ P: runnext | local queue, 256 ] ──> M (carrier thread) ──> CPU
///                           │ overflow: half        ▲ steal half
///                           ▼                       │
///                         [ global queue ] ──── other Ps
/// ```
///
/// Everything a program needs is in this package. The other packages are the implementation, and are written to be
/// read: start with [dev.heddle.internal.kernel].
@NullMarked
package dev.heddle;

import org.jspecify.annotations.NullMarked;
