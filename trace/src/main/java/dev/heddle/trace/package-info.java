/// Reads execution traces. `docs/trace-format.md` has the format, `dev.heddle.internal.trace` decodes it.
@NullMarked
package dev.heddle.trace;

import org.jspecify.annotations.NullMarked;
