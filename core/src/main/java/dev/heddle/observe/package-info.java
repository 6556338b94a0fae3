/// What looks at schedulers from inside their JVM: the bean that dumps, metrics, `heddle top` and `heddle
/// doctor` ask, and the texts made from it.
///
/// It reads what [dev.heddle.internal.kernel] lets out through [dev.heddle.internal.event]; the kernel knows nothing of
/// it.
/// Nothing here is loaded before somebody asks: no scheduler starts later because it can be watched.
@NullMarked
package dev.heddle.observe;

import org.jspecify.annotations.NullMarked;
