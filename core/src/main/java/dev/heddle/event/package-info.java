/// What the kernel tells the outside: counters, and pictures made of them.
///
/// Counters are plain fields written by one owner and read racily. Nothing here reads them: traces, dumps and
/// metrics are made elsewhere, from what is written here.
///
/// The execution trace, a binary ring of events for each machine that costs one predictable branch while nobody
/// listens, has its place here, too: its writer beside [dev.heddle.event.LatencyHistogram], its readers in
/// `dev.heddle.observe`.
///
/// This package depends on no other package of Heddle.
@NullMarked
package dev.heddle.event;

import org.jspecify.annotations.NullMarked;
