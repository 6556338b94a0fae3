/// Looks into another JVM that runs Heddle: attaches to it, and asks the bean of `dev.heddle.observe` in there.
@NullMarked
package dev.heddle.observe.client;

import org.jspecify.annotations.NullMarked;
