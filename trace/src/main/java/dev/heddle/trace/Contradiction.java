package dev.heddle.trace;

/// An event that cannot have happened after the events before it. The reader turns it into one sentence.
final class Contradiction extends Exception {

    private static final long serialVersionUID = 1;

    Contradiction(String message) {
        super(message);
    }
}
