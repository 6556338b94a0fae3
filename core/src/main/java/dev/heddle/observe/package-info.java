/// What looks at schedulers from inside their JVM: the bean that dumps, metrics, `heddle top` and `heddle
/// doctor` ask, and the texts made from it.
///
/// It reads what [dev.heddle.kernel] lets out through [dev.heddle.event]; the kernel knows nothing of it.
/// Nothing here is loaded before somebody asks: no scheduler starts later because it can be watched.
@NullMarked
package dev.heddle.observe;

import org.jspecify.annotations.NullMarked;
