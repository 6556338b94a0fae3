package dev.heddle.trace;

import dev.heddle.internal.trace.ByteSource;

/// What the first block of a recording says.
///
/// @param clock      0: the recorder used `System.nanoTime`
/// @param clockStart the clock's reading at time 0
/// @param wallStart  the wall clock at time 0, in nanoseconds since 1970
/// @param pid        the process
/// @param isFlight   whether this is a snapshot of the flight recorder
/// @param heddle     the version of Heddle
/// @param jvm        the version of the JVM
/// @param command    the program and its arguments
public record Header(
        int clock,
        long clockStart,
        long wallStart,
        long pid,
        boolean isFlight,
        String heddle,
        String jvm,
        String command) {

    static Header of(ByteSource in) throws ByteSource.Damage {
        return new Header(
                (int) in.unsigned(),
                in.signed(),
                in.signed(),
                in.unsigned(),
                in.unsigned() == 1,
                in.text(),
                in.text(),
                in.text());
    }
}
