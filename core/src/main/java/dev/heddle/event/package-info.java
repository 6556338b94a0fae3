/// What the kernel tells the outside: counters, and a ring of events for each machine.
///
/// Counters are plain fields written by one owner and read racily; an event costs one predictable branch while nobody
/// listens. Nothing here reads them: traces, dumps and metrics are made elsewhere, from what is written here.
///
/// This package depends on no other package of Heddle.
@NullMarked
package dev.heddle.event;

import org.jspecify.annotations.NullMarked;
