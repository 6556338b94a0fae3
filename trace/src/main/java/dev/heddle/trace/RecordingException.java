package dev.heddle.trace;

import java.io.IOException;

/// A file that cannot be used as a recording. The message is one sentence for people.
public final class RecordingException extends IOException {

    private static final long serialVersionUID = 1;

    public RecordingException(String sentence) {
        super(sentence);
    }
}
