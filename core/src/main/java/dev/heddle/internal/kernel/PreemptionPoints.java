package dev.heddle.internal.kernel;

/// The places in user code at which a thread can be made to yield. There are none unless the agent weaves them.
public interface PreemptionPoints {

    /// The thread mounted on `hog` computes while others wait: makes the points in its code call
    /// [PreemptionPoint#yieldIfAsked], or reports that it has none ([Machine#reportNoPoints]). Returns at once.
    /// System monitor only.
    void ask(Machine hog);
}
