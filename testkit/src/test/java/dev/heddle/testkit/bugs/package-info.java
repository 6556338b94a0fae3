/// Small programs with a bug of a published kind, each with its corrected twin.
@NullMarked
package dev.heddle.testkit.bugs;

import org.jspecify.annotations.NullMarked;
