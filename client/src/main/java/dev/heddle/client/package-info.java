/// Observes another JVM that runs Heddle: attaches to it, and queries its beans of `dev.heddle.management`.
@NullMarked
package dev.heddle.client;

import org.jspecify.annotations.NullMarked;
