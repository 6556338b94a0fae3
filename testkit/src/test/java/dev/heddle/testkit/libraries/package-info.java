/// Real libraries, unmodified, through their public API.
@NullMarked
package dev.heddle.testkit.libraries;

import org.jspecify.annotations.NullMarked;
