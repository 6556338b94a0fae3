/// Observes another JVM that runs Heddle: connects to its socket, and asks it.
@NullMarked
package dev.heddle.client;

import org.jspecify.annotations.NullMarked;
