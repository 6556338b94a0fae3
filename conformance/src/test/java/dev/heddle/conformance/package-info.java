/// Go's own tests, as behaviours: each test here is named after one of Go's and checks the same promise.
@NullMarked
package dev.heddle.conformance;

import org.jspecify.annotations.NullMarked;
