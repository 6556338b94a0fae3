import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;

/// StructuredTaskScope in virtual time. A preview of JDK 25, so it is run from its source by a JVM of its own.
class StructuredScope {

    public static void main(String[] arguments) {
        Bubble.check(Options.defaults().withSchedules(50), _ -> {
            try (var scope = StructuredTaskScope.open()) {
                var a = scope.fork(() -> afterMinutes(30, "a"));
                var b = scope.fork(() -> afterMinutes(60, "b"));
                scope.join();
                require((a.get() + b.get()).equals("ab"));
            }
            require(Instant.now().equals(Instant.parse("2000-01-01T01:00:00Z")));
            try (var scope = StructuredTaskScope.open(
                    Joiner.<String>allSuccessfulOrThrow(), it -> it.withTimeout(Duration.ofHours(1)))) {
                scope.fork(() -> afterMinutes(600, "late"));
                scope.join();
                require(false);
            } catch (StructuredTaskScope.TimeoutException _) {
                require(Instant.now().equals(Instant.parse("2000-01-01T02:00:00Z")));
            }
        });
        System.out.println("an hour passed at once");
    }

    private static String afterMinutes(int minutes, String value) throws InterruptedException {
        Thread.sleep(Duration.ofMinutes(minutes));
        return value;
    }

    private static void require(boolean claim) {
        if (!claim) {
            throw new AssertionError(Instant.now().toString());
        }
    }
}
