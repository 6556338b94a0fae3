/// One run of a test: its threads, its clock, its choices, and what it reports.
@NullMarked
package dev.heddle.testkit.internal;

import org.jspecify.annotations.NullMarked;
