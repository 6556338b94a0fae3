package dev.heddle.bench;

/// Thrown if a peer is not available here. The message is a sentence for the user.
final class MissingPeerException extends Exception {
    private static final long serialVersionUID = 1;

    MissingPeerException(String sentence) {
        super(sentence);
    }
}
