/// The execution trace: what its events are, how they are written while the scheduler runs, and how they are stored.
///
/// `docs/trace-format.md` describes the file. Both directions of the encoding are here, so that it has one home; the
/// kernel calls [dev.heddle.internal.trace.TraceBuffer], the module `heddle-trace` reads. This package knows no
/// scheduler: it has numbers and names only.
@NullMarked
package dev.heddle.internal.trace;

import org.jspecify.annotations.NullMarked;
