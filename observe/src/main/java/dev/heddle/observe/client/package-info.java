/// Observes another JVM that runs Heddle: attaches to it, and queries its bean of `dev.heddle.observe`.
@NullMarked
package dev.heddle.observe.client;

import org.jspecify.annotations.NullMarked;
