/// One change: the characters `from` to `to` of the file become `replacement`.
record Mutant(Place place, String id, String source, int from, int to, String replacement) {

    String changed() {
        return source.substring(0, from) + replacement + source.substring(to);
    }

    /// Identifies the source of the class: a stored result is invalid when the source has changed.
    String hash() {
        return Integer.toHexString(source.hashCode());
    }

    /// A name for the file with the output of its tests.
    String fileName() {
        String words = id.replaceAll("[^A-Za-z0-9]+", "-");
        return words.substring(0, Math.min(words.length(), 80)) + "-" + Integer.toHexString(id.hashCode()) + ".out";
    }
}
