/// Programs that use Heddle's API, and mutants of the API that they must find.
@NullMarked
package dev.heddle.testkit.api;

import org.jspecify.annotations.NullMarked;
