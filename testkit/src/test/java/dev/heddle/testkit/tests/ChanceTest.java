package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Select;
import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.Options;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every source of random numbers follows from the seed: the same seed gives the same values, another seed others.
class ChanceTest {

    @TestFactory
    Stream<DynamicTest> followsFromTheSeed() {
        Map<String, Supplier<Object>> sources = new LinkedHashMap<>();
        sources.put("ThreadLocalRandom", () -> ThreadLocalRandom.current().nextLong());
        sources.put("new Random()", () -> new Random().nextLong());
        sources.put("Math.random()", Math::random);
        sources.put("new SplittableRandom()", () -> new SplittableRandom().nextLong());
        sources.put("UUID.randomUUID()", UUID::randomUUID);
        sources.put("Collections.shuffle", ChanceTest::shuffled);
        sources.put("Select", ChanceTest::selected);
        return sources.entrySet().stream()
                .map(source -> DynamicTest.dynamicTest(source.getKey(), () -> {
                    assertThat(values(1, source.getValue())).as("with one seed").hasSize(1);
                    assertThat(values(2, source.getValue()))
                            .as("with another seed")
                            .doesNotContainAnyElementsOf(values(1, source.getValue()));
                }));
    }

    private static Object shuffled() {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            numbers.add(i);
        }
        Collections.shuffle(numbers);
        return numbers;
    }

    /// Which of two channels a Select takes when both are ready, thirty times.
    private static Object selected() {
        Chan<String> a = Chan.make(30);
        Chan<String> b = Chan.make(30);
        StringBuilder taken = new StringBuilder();
        try {
            for (int i = 0; i < 30; i++) {
                a.send("a");
                b.send("b");
            }
            for (int i = 0; i < 30; i++) {
                Select.select(Select.receive(a, taken::append), Select.receive(b, taken::append));
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return taken.toString();
    }

    private static Set<Object> values(long seed, Supplier<Object> source) {
        Set<Object> values = new HashSet<>();
        Options options = Options.defaults().withSchedules(1).withSeed(seed);
        for (int i = 0; i < 5; i++) {
            Bubble.check(options, _ -> {
                List<Object> both = new ArrayList<>();
                both.add(source.get());
                Thread other = Thread.startVirtualThread(() -> both.add(source.get()));
                other.join();
                values.add(both);
            });
        }
        return values;
    }

    @TestFactory
    Stream<DynamicTest> threadsHaveTheSameOrderInAMap() {
        return Stream.of(DynamicTest.dynamicTest("HashMap<Thread, ..>", () -> {
            Set<List<Integer>> orders = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                Bubble.check(Options.defaults().withSchedules(1), _ -> {
                    Map<Thread, Integer> map = new HashMap<>();
                    for (int k = 0; k < 20; k++) {
                        map.put(Thread.ofVirtual().unstarted(() -> {}), k);
                    }
                    orders.add(List.copyOf(map.values()));
                });
            }
            assertThat(orders).hasSize(1);
        }));
    }

    @TestFactory
    Stream<DynamicTest> outsideOfABubbleNothingIsSeeded() {
        return Stream.of(DynamicTest.dynamicTest("UUID and Random", () -> {
            assertThat(UUID.randomUUID()).isNotEqualTo(UUID.randomUUID());
            assertThat(new Random().nextLong()).isNotEqualTo(new Random().nextLong());
        }));
    }
}
