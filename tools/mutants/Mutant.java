/// One change: the characters `from` to `to` of the file become `replacement`.
record Mutant(Place place, String id, String source, int from, int to, String replacement) {

    String changed() {
        return source.substring(0, from) + replacement + source.substring(to);
    }

    /// Identifies the source of the class: a stored result is invalid when the source has changed.
    String hash() {
        return Integer.toHexString(source.hashCode());
    }
}
