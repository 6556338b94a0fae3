/// The page of `heddle trace view`: one HTML file that holds a recording and shows it. The page's own code is in the
/// resources beside this package, as JavaScript modules; [TracePage] puts everything together.
@NullMarked
package dev.heddle.trace.page;

import org.jspecify.annotations.NullMarked;
