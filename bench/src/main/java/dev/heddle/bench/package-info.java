/// Heddle beside other schedulers: the same programs, in the same run, in JVMs of their own.
@NullMarked
package dev.heddle.bench;

import org.jspecify.annotations.NullMarked;
