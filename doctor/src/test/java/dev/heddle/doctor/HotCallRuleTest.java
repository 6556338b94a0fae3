package dev.heddle.doctor;

import static dev.heddle.doctor.Seen.blocking;
import static dev.heddle.doctor.Seen.only;
import static dev.heddle.doctor.Seen.running;
import static dev.heddle.doctor.Seen.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Costly calls in the pictures of running threads.
final class HotCallRuleTest {

    private static final String COUNT =
            "java.base/java.util.concurrent.ConcurrentLinkedQueue.size(ConcurrentLinkedQueue.java:484)";
    private static final String MATCH = "java.base/java.util.regex.Pattern$Curly.match(Pattern.java:4400)";
    private static final String COMPUTE = "java.base/java.lang.Math.sin(Math.java:1)";
    private static final String PLACE = "app.Intake.isFull(Intake.java:30)";
    private static final String OTHER = "app.Blade.cut(Blade.java:7)";

    @ParameterizedTest
    @CsvSource({
        "FAILURE, java.lang.Throwable.fillInStackTrace",
        "FAILURE, sun.nio.ch.Net.connect0",
        "EXPRESSION, java.util.regex.Matcher.match",
        "PREPARING, java.util.regex.Pattern.compile",
        "COUNTING, java.util.ArrayList.indexOfRange",
        "COUNTING, java.util.LinkedList.node",
        "COPYING, java.util.concurrent.CopyOnWriteArrayList.add",
        "COPYING, java.lang.StringConcatHelper.simpleConcat",
        "COLLISIONS, java.util.HashMap$TreeNode.find",
        "STACKS, java.lang.Thread.getStackTrace",
        "LOOKING_UP, java.lang.ClassLoader.getResource",
        "DEEP_COPY, java.io.ObjectInputStream.readObject0",
        "COLLECTING, java.lang.Runtime.gc",
    })
    void aCallIsKnownByItsFrames(CostlyCall call, String method) {
        assertThat(called("java.base/" + method + "(X.java:1)", PLACE)).contains(call);
        assertThat(called(COMPUTE, "java.base/" + method + "(X.java:1)", PLACE)).contains(call);
        assertThat(call.words()).isNotBlank();
        assertThat(call.remedyAt("app.A.b(A.java:1)"))
                .contains("app.A.b(A.java:1)")
                .doesNotContain("PLACE");
    }

    /// Of another method of the class, by the program itself, or without code of the program.
    @Test
    void otherCallsAreNotCostly() {
        assertThat(called("java.base/java.util.ArrayList.get(ArrayList.java:1)", PLACE))
                .isEmpty();
        assertThat(called(PLACE, COUNT, OTHER)).isEmpty();
        assertThat(called(COUNT)).isEmpty();
    }

    private static Optional<CostlyCall> called(String... stack) {
        return CostlyCall.of(GoroutineSample.of(running(1, stack)));
    }

    // ---- the rule

    @Test
    void aCallThatTakesTheCpuIsNamedWithItsPlace() {
        Finding finding = only(seen(_ -> {}, 15, COUNT, PLACE));

        assertThat(finding.cause()).isEqualTo(Cause.HOT_CALL);
        assertThat(finding.evidence().getFirst()).contains("15 of 15").contains(PLACE);
        assertThat(finding.remedy()).contains(PLACE).contains("LongAdder");
    }

    /// The fixed program asks a counter, or asks only now and then.
    @Test
    void otherWorkIsFine() {
        assertThat(Doctor.examine(seen(_ -> {}, 15, COMPUTE, PLACE))).isEmpty();
        assertThat(Doctor.examine(inBurst(4))).isEmpty();
        assertThat(only(inBurst(5)).cause()).isEqualTo(Cause.HOT_CALL);
    }

    /// Two threads make the call in so many dumps.
    private static Observation inBurst(int dumps) {
        Seen seen = new Seen();
        seen.goroutines = dump -> dump < dumps
                ? List.of(running(1, COUNT, PLACE), running(2, COUNT, PLACE))
                : List.of(waiting(1, "sleep", PLACE), waiting(2, "sleep", PLACE));
        return seen.observation();
    }

    @Test
    void fewPicturesProveNothing() {
        Observation all = seen(_ -> {}, 15, COUNT, PLACE);
        assertThat(new HotCallRule().check(first(5, all))).isEmpty();
        assertThat(new HotCallRule().check(first(6, all))).isPresent();
    }

    private static Observation first(int dumps, Observation all) {
        return new Observation(all.samples(), all.dumps().subList(0, dumps), all.classes());
    }

    @Test
    void aProgramThatHardlyUsesTheCpuIsFine() {
        assertThat(Doctor.examine(seen(it -> it.cpusUsed = 0.04, 15, COUNT, PLACE)))
                .isEmpty();
    }

    /// Others compute more.
    @Test
    void aCallThatIsTheSmallerPartIsFine() {
        assertThat(Doctor.examine(seen(
                        it -> it.platform = _ -> both(running(50, COMPUTE, OTHER), running(51, OTHER)),
                        15,
                        COUNT,
                        PLACE)))
                .isEmpty();
    }

    /// The method does mostly something else: in two of five pictures it is enough.
    @Test
    void aMethodThatMostlyDoesSomethingElseIsFine() {
        assertThat(Doctor.examine(mixed(dump -> dump < 5))).isEmpty();
        assertThat(only(mixed(dump -> dump < 6)).cause()).isEqualTo(Cause.HOT_CALL);
    }

    private static Observation mixed(java.util.function.IntPredicate isCall) {
        Seen seen = new Seen();
        seen.goroutines = dump -> List.of(running(1, isCall.test(dump) ? COUNT : COMPUTE, PLACE));
        return seen.observation();
    }

    /// A batch that matches texts does its work. Where others are served meanwhile, it is too much.
    @Test
    void expressionsOfABatchAreFine() {
        assertThat(Doctor.examine(seen(it -> it.switchesPerSecond = 5, 15, MATCH, PLACE)))
                .isEmpty();
        assertThat(only(seen(_ -> {}, 15, MATCH, PLACE)).remedy()).contains("possessive");
    }

    /// A connection that is refused at once keeps its carrier for a moment. Without an exception it may have succeeded.
    @Test
    void attemptsThatFailCountInSystemCalls() {
        String connect = "java.base/sun.nio.ch.Net.connect0(Native Method)";
        String fail = "java.base/java.lang.Throwable.fillInStackTrace(Native Method)";
        Seen seen = new Seen();
        seen.goroutines = dump -> List.of(dump == 7 ? running(1, fail, PLACE) : blocking(1, connect, PLACE));
        assertThat(only(seen.observation()).remedy()).contains("circuit breaker");

        seen.goroutines = _ -> List.of(blocking(1, connect, PLACE));
        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    /// A native call that waits does not compute.
    @Test
    void otherSystemCallsAreNoWork() {
        Seen seen = new Seen();
        seen.goroutines = _ -> List.of(blocking(1, COUNT, PLACE));
        assertThat(Doctor.examine(seen.observation())).isEmpty();
    }

    /// In so many dumps a thread makes the call, in the others it sleeps.
    private static Observation seen(Consumer<Seen> change, int dumps, String... stack) {
        Seen seen = new Seen();
        seen.goroutines = dump -> List.of(dump < dumps ? running(1, stack) : waiting(1, "sleep", PLACE));
        change.accept(seen);
        return seen.observation();
    }

    private static List<GoroutineStats> both(GoroutineStats one, GoroutineStats other) {
        return new ArrayList<>(List.of(one, other));
    }
}
