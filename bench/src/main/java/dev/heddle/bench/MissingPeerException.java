package dev.heddle.bench;

/// A peer that is not to be had here; the message is a sentence for the user.
final class MissingPeerException extends Exception {
    private static final long serialVersionUID = 1;

    MissingPeerException(String sentence) {
        super(sentence);
    }
}
