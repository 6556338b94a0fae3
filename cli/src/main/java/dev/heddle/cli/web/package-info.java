/// The live dashboard of `heddle web`: a small web server on this machine, and what it asks the observed JVM.
@NullMarked
package dev.heddle.cli.web;

import org.jspecify.annotations.NullMarked;
