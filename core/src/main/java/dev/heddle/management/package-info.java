/// The bean through which programs read the schedulers of a JVM, also over JMX.
@NullMarked
package dev.heddle.management;

import org.jspecify.annotations.NullMarked;
