/// The `heddle` command: one class per subcommand.
@NullMarked
package dev.heddle.cli;

import org.jspecify.annotations.NullMarked;
