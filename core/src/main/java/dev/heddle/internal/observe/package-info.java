/// Observes schedulers from inside their JVM: what the bean of `dev.heddle.management` and the socket for commands
/// answer, dumps, metrics, traces, and the evidence for `heddle doctor`.
///
/// It reads what [dev.heddle.internal.kernel] publishes; the kernel does not depend on it. Nothing here is loaded
/// before it is requested: being observable does not delay the start of a scheduler.
@NullMarked
package dev.heddle.internal.observe;

import org.jspecify.annotations.NullMarked;
