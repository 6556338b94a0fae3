/// How JUnit runs a test under many schedules.
@NullMarked
package dev.heddle.testkit.internal.junit;

import org.jspecify.annotations.NullMarked;
