/// `heddle bench`: Heddle beside other schedulers. The same workloads, in the same run, each peer in a process of its
/// own.
///
/// This package asks and reports; what a peer does when it is asked is in `peer`, and the workloads themselves in one
/// package for each way to write them: `heddle`, `threads`, `jox`; in Kotlin and Go beside this module.
@NullMarked
package dev.heddle.bench;

import org.jspecify.annotations.NullMarked;
