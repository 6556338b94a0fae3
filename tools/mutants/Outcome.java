import java.util.Arrays;

/// What became of a mutant.
enum Outcome {
    /// Reported, but neither killed nor survived.
    DOES_NOT_COMPILE("does not compile"),
    KILLED("killed"),
    HUNG("hung"),
    SURVIVED("SURVIVED");

    /// As the file of results and the output spell it.
    final String text;

    Outcome(String text) {
        this.text = text;
    }

    static Outcome of(String text) {
        return Arrays.stream(values())
                .filter(it -> it.text.equals(text))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("no outcome: " + text));
    }
}
