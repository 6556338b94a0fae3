@NullMarked
package dev.heddle.cli.web;

import org.jspecify.annotations.NullMarked;
