package dev.heddle.doctor;

/// Wording of the evidence.
final class Words {

    private Words() {}

    /// `1 goroutine`, `2 goroutines`.
    static String goroutines(long number) {
        return "%,d goroutine%s".formatted(number, number == 1 ? "" : "s");
    }
}
