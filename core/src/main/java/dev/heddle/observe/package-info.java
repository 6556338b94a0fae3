/// Observes schedulers from inside their JVM: the bean that dumps, metrics, `heddle top` and `heddle doctor` query, and
/// the texts made from its answers.
///
/// It reads what [dev.heddle.internal.kernel] publishes through [dev.heddle.internal.event]; the kernel does not depend
/// on it. Nothing here is loaded before it is requested: being observable does not delay the start of a scheduler.
@NullMarked
package dev.heddle.observe;

import org.jspecify.annotations.NullMarked;
