/// Deterministic, seeded tests of virtual-thread code in virtual time.
///
/// [dev.heddle.testkit.HeddleTest] marks a JUnit test that runs under many schedules; [dev.heddle.testkit.Bubble#check]
/// does the same without JUnit. The manual is `docs/testkit.md`.
@NullMarked
package dev.heddle.testkit;

import org.jspecify.annotations.NullMarked;
