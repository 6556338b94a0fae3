/// Counters that kernel and API write while they run.
///
/// They are plain fields written by one owner and read racily. Nothing here reads them: traces, dumps and metrics are
/// made elsewhere. This package depends on `dev.heddle.stats` only.
@NullMarked
package dev.heddle.internal.event;

import org.jspecify.annotations.NullMarked;
