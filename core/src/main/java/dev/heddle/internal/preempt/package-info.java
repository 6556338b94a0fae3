/// Preemption points: what the calls that `dev.heddle.internal.weave` puts into loops do, and when.
@NullMarked
package dev.heddle.internal.preempt;

import org.jspecify.annotations.NullMarked;
