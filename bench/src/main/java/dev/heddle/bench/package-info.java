/// `heddle bench`: compares Heddle with other schedulers. All run the same workloads in the same session, each peer in
/// its own process.
///
/// This package sends requests and reports the results. The package `peer` is the other side, inside the process of a
/// peer. The workloads are in one package for each idiom: `heddle`, `threads`, `jox`. The Kotlin and Go sources are
/// beside this module.
@NullMarked
package dev.heddle.bench;

import org.jspecify.annotations.NullMarked;
