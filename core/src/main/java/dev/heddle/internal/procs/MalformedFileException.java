package dev.heddle.internal.procs;

import java.io.IOException;

/// A file of the kernel that does not look as the kernel writes it; the message is one sentence.
final class MalformedFileException extends IOException {
    private static final long serialVersionUID = 1;

    private static final int MAX_QUOTED = 60; // a whole overlay mount line helps nobody

    MalformedFileException(String path, String what) {
        super(path + " is malformed: " + what);
    }

    MalformedFileException(String path, String what, String found) {
        this(path, what + ": \"" + printable(found) + "\"");
    }

    private static String printable(String text) {
        String shown = text.length() <= MAX_QUOTED ? text : text.substring(0, MAX_QUOTED) + "...";
        return shown.replace("\n", "\\n").replace("\t", "\\t");
    }
}
