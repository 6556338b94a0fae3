/// The settings of a JVM: the one place that reads system properties and environment, and the table of all settings.
@NullMarked
package dev.heddle.internal.settings;

import org.jspecify.annotations.NullMarked;
