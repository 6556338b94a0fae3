/// The channel workloads with the channels of Jox, which run on the JDK's virtual threads.
@NullMarked
package dev.heddle.bench.jox;

import org.jspecify.annotations.NullMarked;
