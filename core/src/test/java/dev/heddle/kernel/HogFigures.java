package dev.heddle.kernel;

/// Prints how late a ticker of 1 ms is on 2 processors among 0, 8, 32 and 100 threads that compute. Run it on a quiet
/// machine:
///
/// ```
/// java @flags -cp core/target/test-classes:core/target/classes:... dev.heddle.kernel.HogFigures [millis per line]
/// ```
final class HogFigures {
    private HogFigures() {}

    static void main(String[] arguments) throws InterruptedException {
        long millis = arguments.length == 0 ? 5_000 : Long.parseLong(arguments[0]);
        for (int hogs : new int[] {0, 8, 32, 100}) {
            try (Rig rig = Rig.procs(2)) {
                rig.startHogs(hogs);
                System.out.printf("%3d hogs: %s%n", hogs, Lateness.measure(rig, millis));
            }
        }
    }
}
