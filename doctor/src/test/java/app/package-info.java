/// A program to be examined.
@NullMarked
package app;

import org.jspecify.annotations.NullMarked;
