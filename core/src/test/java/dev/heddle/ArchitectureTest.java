package dev.heddle;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.heddle.internal.queue.ForbiddenDependencies;
import dev.heddle.internal.queue.StealRule;
import dev.heddle.testing.ChildJvm;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The dependencies between packages point one way: `stats, settings <- queue, procs, jdk, event <- kernel <- runtime,
/// observe <- dev.heddle, management`, and exported packages name no internal type.
public final class ArchitectureTest {

    private static final JavaClasses HEDDLE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.heddle..");

    private static final Set<String> PROPERTIES_AND_ENVIRONMENT = Set.of(
            "System.getProperty",
            "System.getProperties",
            "System.setProperty",
            "System.getenv",
            "Boolean.getBoolean",
            "Integer.getInteger",
            "Long.getLong");

    private static final Set<String> CLOCK_AND_PARK = Set.of("System.nanoTime", "Thread.sleep", "Thread.interrupted");

    @SuppressWarnings("ImmutableEnumChecker") // a rule is immutable, ArchUnit only does not say so
    enum Rule {
        STATS_ARE_PLAIN_RECORDS(onlyUses("dev.heddle.stats..")),
        QUEUES_ARE_PURE_DATA_STRUCTURES(onlyUses("dev.heddle.internal.queue..")),
        THE_WIRE_KNOWS_NO_SCHEDULER(onlyUses("dev.heddle.internal.wire..")),
        SETTINGS_USE_NOTHING_ELSE(onlyUses("dev.heddle.internal.settings..")),
        PROCS_USE_SETTINGS_ONLY(onlyUses("dev.heddle.internal.procs..", "dev.heddle.internal.settings..")),
        TRACES_KNOW_NO_SCHEDULER(onlyUses("dev.heddle.internal.trace..", "dev.heddle.internal.jdk..")),
        EVENTS_USE_STATS_ONLY(onlyUses("dev.heddle.internal.event..", "dev.heddle.stats..")),
        THE_JDK_SIDE_DOES_NOT_USE_THE_KERNEL(onlyUses("dev.heddle.internal.jdk..", "dev.heddle.internal.settings..")),
        THE_KERNEL_DOES_NOT_USE_THE_API(onlyUses(
                "dev.heddle.internal.kernel..",
                "dev.heddle.internal.queue..",
                "dev.heddle.internal.trace..",
                "dev.heddle.internal.jdk..",
                "dev.heddle.internal.event..",
                "dev.heddle.internal.procs..",
                "dev.heddle.internal.settings..",
                "dev.heddle.stats..")),
        OBSERVERS_DO_NOT_USE_THE_API(onlyUses(
                "dev.heddle.internal.observe..",
                "dev.heddle.internal.kernel..",
                "dev.heddle.internal.trace..",
                "dev.heddle.internal.jdk..",
                "dev.heddle.internal.event..",
                "dev.heddle.internal.procs..",
                "dev.heddle.internal.settings..",
                "dev.heddle.internal.wire..",
                "dev.heddle.stats..")),
        THE_DOOR_TO_THE_KERNEL_DOES_NOT_USE_THE_API(onlyUses(
                "dev.heddle.internal.runtime..",
                "dev.heddle.internal.kernel..",
                "dev.heddle.internal.jdk..",
                "dev.heddle.internal.event..",
                "dev.heddle.internal.settings..")),
        ONLY_THE_SCHEDULER_GOES_AROUND_THAT_DOOR(onlyUses(
                        "dev.heddle",
                        "dev.heddle.internal.runtime..",
                        "dev.heddle.internal.event..",
                        "dev.heddle.stats..")
                .except(isAroundTheScheduler())),
        BEANS_ASK_THE_OBSERVERS(onlyUses(
                "dev.heddle.management..",
                "dev.heddle.internal.observe..",
                "dev.heddle.internal.jdk..",
                "dev.heddle.stats..")),
        THE_WEAVER_KNOWS_NO_SCHEDULER(onlyUses("dev.heddle.internal.weave..", "dev.heddle.internal.jdk..")),
        POINTS_DO_NOT_USE_THE_API(onlyUses(
                "dev.heddle.internal.preempt..",
                "dev.heddle.internal.weave..",
                "dev.heddle.internal.kernel..",
                "dev.heddle.internal.jdk..")),
        THE_ENTRY_CLASS_ONLY_STARTS_THE_AGENT(onlyUses("dev.heddle.agent..", "dev.heddle.internal.agent..")),
        NOTHING_USES_THE_AGENT_BUT_ITS_ENTRY_CLASS(noClasses()
                .that(not(resideInAnyPackage("dev.heddle.agent..", "dev.heddle.internal.agent..")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("dev.heddle.agent..", "dev.heddle.internal.agent.."))),
        EXPORTED_SIGNATURES_NAME_EXPORTED_TYPES(members()
                .that()
                .areDeclaredInClassesThat(isExported())
                .and(modifier(JavaModifier.PUBLIC).or(modifier(JavaModifier.PROTECTED)))
                .should(nameNoInternalType())),
        EXPORTED_TYPES_EXTEND_EXPORTED_TYPES(classes().that(isExported()).should(extendNoInternalType())),
        ONLY_THE_JDK_SIDE_TOUCHES_JDK_INTERNALS(noClasses()
                .that(resideInAPackage("dev.heddle..").and(not(resideInAPackage("dev.heddle.internal.jdk.."))))
                .should()
                .dependOnClassesThat(resideInAnyPackage("jdk.internal..", "sun.."))),
        ONLY_SETTINGS_READ_PROPERTIES_AND_ENVIRONMENT(noClasses()
                .that(resideInAPackage("dev.heddle..")
                        .and(not(resideInAPackage("dev.heddle.internal.settings..")))
                        .and(not(describe("the agent's entry class", Rule::isEntryOfAgent))))
                .should()
                .accessTargetWhere(describe("properties or environment", Rule::isOfPropertiesOrEnvironment))),
        THE_KERNEL_HAS_ITS_CLOCK_AND_ITS_PARKING_FROM_THE_JDK_SIDE(noClasses()
                .that(resideInAPackage("dev.heddle.internal.kernel..")
                        .and(not(describe("the warm-up, which is a program", Rule::isWarmUp))))
                .should()
                .accessTargetWhere(describe("the clock or a park", Rule::isClockOrPark))),
        STEPS_OF_THE_WALL_CLOCK_GO_UNNOTICED(noClasses()
                .that(resideInAnyPackage(
                                "dev.heddle.internal.kernel..",
                                "dev.heddle.internal.queue..",
                                "dev.heddle.internal.jdk..",
                                "dev.heddle.internal.procs..")
                        .and(not(describe("the reader of java.util.Timer, which uses it", Rule::isReaderOfTimers))))
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Instant.class, Clock.class)),
        CORE_HAS_NO_RUNTIME_DEPENDENCY(noClasses()
                .should()
                .dependOnClassesThat(not(resideInAnyPackage(
                        "dev.heddle..",
                        "java..",
                        "javax.management..",
                        "com.sun.management..",
                        "com.sun.net.httpserver..",
                        "jdk..",
                        "sun..",
                        "org.jspecify.."))));

        final ArchRule rule;

        /// The packages of an [#onlyUses] rule; null for any other rule.
        final @Nullable Uses uses;

        Rule(ArchRule rule) {
            this(rule, null);
        }

        Rule(Uses uses) {
            this(uses.rule(), uses);
        }

        Rule(ArchRule rule, @Nullable Uses uses) {
            this.rule = rule.as(name().toLowerCase(Locale.ROOT).replace('_', ' '));
            this.uses = uses;
        }

        /// Of Heddle's packages, the first of `packages` may use itself and the others, and no more.
        private static Uses onlyUses(String... packages) {
            return new Uses(List.of(packages), describe("none", _ -> false));
        }

        private static boolean isWarmUp(JavaClass type) {
            return type.getName().startsWith("dev.heddle.internal.kernel.WarmUp");
        }

        private static boolean isReaderOfTimers(JavaClass type) {
            return type.getSimpleName().equals("DueTasks");
        }

        /// A simulator replaces these, and does so in one place.
        private static boolean isClockOrPark(JavaAccess<?> access) {
            String target = access.getTargetOwner().getSimpleName() + "." + access.getName();
            return CLOCK_AND_PARK.contains(target) || target.startsWith("LockSupport.");
        }

        /// It reads the version of the JDK before it may load another class of Heddle.
        private static boolean isEntryOfAgent(JavaClass type) {
            return type.getSimpleName().equals("HeddleAgent");
        }

        private static boolean isOfPropertiesOrEnvironment(JavaAccess<?> access) {
            String target = access.getTargetOwner().getSimpleName() + "." + access.getName();
            return PROPERTIES_AND_ENVIRONMENT.contains(target);
        }

        /// Makes schedulers and goroutines out of what the kernel and its helpers offer.
        private static DescribedPredicate<JavaClass> isAroundTheScheduler() {
            Set<String> names =
                    Set.of("Scheduler", "BodyGoroutine", "MainGoroutine", "Goroutines", "StealPolicy", "Trace");
            return describe(
                    "are around Scheduler",
                    it -> names.contains(
                            it.getName().substring("dev.heddle.".length()).split("\\$", -1)[0]));
        }

        private static DescribedPredicate<JavaClass> isExported() {
            Set<String> exported = ApiListing.exportedPackages(ChildJvm.home(Scheduler.class));
            return describe(
                    "are exported",
                    it -> exported.contains(it.getPackageName())
                            && it.getModifiers().contains(JavaModifier.PUBLIC)
                            && it.getEnclosingClass()
                                    .map(outer -> outer.getModifiers().contains(JavaModifier.PUBLIC))
                                    .orElse(true));
        }

        private static ArchCondition<JavaMember> nameNoInternalType() {
            return new ArchCondition<>("name no internal type") {
                @Override
                public void check(JavaMember member, ConditionEvents events) {
                    refuseInternal(member, member.getAllInvolvedRawTypes(), events);
                }
            };
        }

        private static ArchCondition<JavaClass> extendNoInternalType() {
            return new ArchCondition<>("extend no internal type") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    Stream<JavaType> parents =
                            Stream.concat(type.getInterfaces().stream(), type.getSuperclass().stream());
                    refuseInternal(
                            type,
                            parents.flatMap(it -> it.getAllInvolvedRawTypes().stream())
                                    .collect(Collectors.toSet()),
                            events);
                }
            };
        }

        private static void refuseInternal(Object where, Set<JavaClass> named, ConditionEvents events) {
            named.stream()
                    .filter(it -> it.getPackageName().startsWith("dev.heddle.internal"))
                    .forEach(it -> events.add(SimpleConditionEvent.violated(where, where + " names " + it.getName())));
        }
    }

    /// Which packages a package may use: itself, the first of `packages`, and the others. `exempt` classes of it may
    /// use more. `DocsTest` compares the table in CONTRIBUTING.md with these.
    record Uses(List<String> packages, DescribedPredicate<JavaClass> exempt) {
        Uses except(DescribedPredicate<JavaClass> classes) {
            return new Uses(packages, classes);
        }

        /// The package that the rule is about, without the dots that include its subpackages.
        String user() {
            return bare(packages.getFirst());
        }

        Set<String> used() {
            return packages.stream().skip(1).map(Uses::bare).collect(Collectors.toSet());
        }

        private static String bare(String pattern) {
            return pattern.replaceFirst("\\.\\.$", "");
        }

        ArchRule rule() {
            String[] all = packages.toArray(String[]::new);
            return noClasses()
                    .that(resideInAPackage(all[0]).and(not(exempt)))
                    .should()
                    .dependOnClassesThat(resideInAPackage("dev.heddle..").and(not(resideInAnyPackage(all))));
        }
    }

    @ParameterizedTest
    @EnumSource
    void holds(Rule rule) {
        rule.rule.check(HEDDLE);
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(HEDDLE.stream().map(JavaClass::getPackage).distinct())
                .isNotEmpty()
                .allMatch(it -> it.tryGetPackageInfo()
                        .map(info -> info.isAnnotatedWith(NullMarked.class))
                        .orElse(false));
    }

    /// A rule that never fires would pass as well: the fixtures break one of each form.
    @Test
    void violationsAreFound() {
        Set<String> fixtures = Set.of(ForbiddenDependencies.class.getName(), LeakyApi.class.getName());
        JavaClasses withFixtures = new ClassFileImporter()
                .importPackages("dev.heddle..")
                .that(describe(
                        "main classes and fixtures",
                        it -> HEDDLE.contain(it.getName()) || fixtures.contains(it.getName())));

        assertThat(Rule.values())
                .filteredOn(it -> it.rule.evaluate(withFixtures).hasViolation())
                .containsExactly(
                        Rule.QUEUES_ARE_PURE_DATA_STRUCTURES,
                        Rule.ONLY_THE_SCHEDULER_GOES_AROUND_THAT_DOOR,
                        Rule.EXPORTED_SIGNATURES_NAME_EXPORTED_TYPES,
                        Rule.EXPORTED_TYPES_EXTEND_EXPORTED_TYPES,
                        Rule.ONLY_THE_JDK_SIDE_TOUCHES_JDK_INTERNALS,
                        Rule.ONLY_SETTINGS_READ_PROPERTIES_AND_ENVIRONMENT);
    }

    /// A class of the API that lets internal types out.
    public abstract static class LeakyApi implements StealRule {
        private LeakyApi() {}

        public static @Nullable StealRule leak() {
            return Boolean.getBoolean("heddle.leak") ? StealRule.GO : null;
        }
    }
}
