/// Writes recordings in the formats of other tools: Go's execution trace, Perfetto's, and lines of JSON.
@NullMarked
package dev.heddle.trace.export;

import org.jspecify.annotations.NullMarked;
