package dev.heddle.bench;

/// One run of a program by a peer.
///
/// @param wallNanos how long it took
/// @param cpuNanos  CPU time of the whole process meanwhile, compiler and garbage collector included
record Measurement(long wallNanos, long cpuNanos) {

    static Measurement parse(String line) {
        String[] parts = line.split(" ", -1);
        return new Measurement(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }

    @Override
    public String toString() {
        return wallNanos + " " + cpuNanos;
    }
}
