package dev.heddle.trace;

/// How many runs began in the window, and how they ended. [#isBalanced] holds for every recording.
public final class RunCounts {

    long starts;
    long parks;
    long yields;
    long ends;
    long voids;
    long cutAtStart;
    long cutAtEnd;
    long pending;

    RunCounts() {}

    public long starts() {
        return starts;
    }

    public long parks() {
        return parks;
    }

    public long yields() {
        return yields;
    }

    public long ends() {
        return ends;
    }

    public long voids() {
        return voids;
    }

    /// Runs that had begun before the window.
    public long cutAtStart() {
        return cutAtStart;
    }

    /// Runs that had not ended when the window did.
    public long cutAtEnd() {
        return cutAtEnd + pending;
    }

    /// Whether every run that began has ended: by a park, a yield, an end or a void, or by the end of the window.
    public boolean isBalanced() {
        return starts + cutAtStart == parks + yields + ends + voids + cutAtEnd();
    }

    @Override
    public String toString() {
        return "%,d starts and %,d runs from before = %,d parks + %,d yields + %,d ends + %,d voids + %,d that go on"
                .formatted(starts, cutAtStart, parks, yields, ends, voids, cutAtEnd());
    }
}
