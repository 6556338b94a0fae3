/// How Heddle's commands and the JVMs they observe talk to each other: lines of JSON over a Unix-domain socket.
///
/// Both sides use the same classes: [dev.heddle.internal.wire.Json] writes, [dev.heddle.internal.wire.JsonReader] and
/// [dev.heddle.internal.wire.Decoder] read, and [dev.heddle.internal.wire.LineChannel] carries the lines.
@NullMarked
package dev.heddle.internal.wire;

import org.jspecify.annotations.NullMarked;
