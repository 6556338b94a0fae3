/// The only package that touches JDK internals, behind one small interface.
///
/// The JDK already calls its virtual-thread scheduler at every moment that matters: when a thread becomes runnable,
/// when it parks for a time, when it is about to block its carrier. Those calls are methods of `ForkJoinPool` and of
/// `CarrierThread`; the classes here override them and turn each into one call of the kernel.
///
/// The internals differ from release to release. Unknown ones are refused at start, in one sentence that names the JDK,
/// the missing member, and the flag that would grant access; there is no silent fallback.
@NullMarked
package dev.heddle.internal.jdk;

import org.jspecify.annotations.NullMarked;
