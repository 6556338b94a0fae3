package dev.heddle;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.heddle.internal.queue.ForbiddenDependencies;
import dev.heddle.internal.queue.StealRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The dependencies between packages point one way: `stats, settings <- queue, procs, jdk, event <- kernel <- observe <-
/// dev.heddle`, and exported packages name no internal type.
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

    @SuppressWarnings("ImmutableEnumChecker") // a rule is immutable, ArchUnit only does not say so
    enum Rule {
        STATS_ARE_PLAIN_RECORDS(onlyUses("dev.heddle.stats..")),
        QUEUES_ARE_PURE_DATA_STRUCTURES(onlyUses("dev.heddle.internal.queue..")),
        SETTINGS_USE_NOTHING_ELSE(onlyUses("dev.heddle.internal.settings..")),
        PROCS_USE_SETTINGS_ONLY(onlyUses("dev.heddle.internal.procs..", "dev.heddle.internal.settings..")),
        EVENTS_USE_STATS_ONLY(onlyUses("dev.heddle.internal.event..", "dev.heddle.stats..")),
        THE_JDK_SIDE_DOES_NOT_USE_THE_KERNEL(onlyUses("dev.heddle.internal.jdk..", "dev.heddle.internal.settings..")),
        THE_KERNEL_DOES_NOT_USE_THE_API(onlyUses(
                "dev.heddle.internal.kernel..",
                "dev.heddle.internal.queue..",
                "dev.heddle.internal.jdk..",
                "dev.heddle.internal.event..",
                "dev.heddle.internal.procs..",
                "dev.heddle.internal.settings..",
                "dev.heddle.stats..")),
        OBSERVERS_DO_NOT_USE_THE_API(onlyUses(
                "dev.heddle.observe..",
                "dev.heddle.internal.kernel..",
                "dev.heddle.internal.jdk..",
                "dev.heddle.internal.event..",
                "dev.heddle.internal.procs..",
                "dev.heddle.internal.settings..",
                "dev.heddle.stats..")),
        EXPORTED_SIGNATURES_NAME_EXPORTED_TYPES(methods()
                .that()
                .areDeclaredInClassesThat(resideInAnyPackage("dev.heddle", "dev.heddle.stats"))
                .and()
                .areDeclaredInClassesThat()
                .arePublic()
                .and(modifier(JavaModifier.PUBLIC).or(modifier(JavaModifier.PROTECTED)))
                .should(nameNoInternalType())),
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
        STEPS_OF_THE_WALL_CLOCK_GO_UNNOTICED(noClasses()
                .that(resideInAnyPackage(
                        "dev.heddle.internal.kernel..",
                        "dev.heddle.internal.queue..",
                        "dev.heddle.internal.jdk..",
                        "dev.heddle.internal.procs.."))
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
                        "com.sun.net.httpserver..",
                        "jdk..",
                        "sun..",
                        "org.jspecify.."))));

        final ArchRule rule;

        Rule(ArchRule rule) {
            this.rule = rule.as(name().toLowerCase(Locale.ROOT).replace('_', ' '));
        }

        /// Of Heddle's packages, the first of `packages` may use itself and the others, and no more.
        private static ArchRule onlyUses(String... packages) {
            return noClasses()
                    .that()
                    .resideInAPackage(packages[0])
                    .should()
                    .dependOnClassesThat(resideInAPackage("dev.heddle..").and(not(resideInAnyPackage(packages))));
        }

        /// It reads the version of the JDK before it may load another class of Heddle.
        private static boolean isEntryOfAgent(JavaClass type) {
            return type.getSimpleName().equals("HeddleAgent");
        }

        private static boolean isOfPropertiesOrEnvironment(JavaAccess<?> access) {
            String target = access.getTargetOwner().getSimpleName() + "." + access.getName();
            return PROPERTIES_AND_ENVIRONMENT.contains(target);
        }

        private static ArchCondition<JavaMethod> nameNoInternalType() {
            return new ArchCondition<>("name no internal type") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    Stream.concat(method.getRawParameterTypes().stream(), Stream.of(method.getRawReturnType()))
                            .filter(it -> it.getPackageName().startsWith("dev.heddle.internal"))
                            .forEach(it -> events.add(SimpleConditionEvent.violated(
                                    method, method.getFullName() + " names " + it.getName())));
                }
            };
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

    /// A rule that never fires would pass as well: the fixtures break four of them, one for each form.
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
                        Rule.EXPORTED_SIGNATURES_NAME_EXPORTED_TYPES,
                        Rule.ONLY_THE_JDK_SIDE_TOUCHES_JDK_INTERNALS,
                        Rule.ONLY_SETTINGS_READ_PROPERTIES_AND_ENVIRONMENT);
    }

    /// A class of the API that lets an internal type out.
    public static final class LeakyApi {
        private LeakyApi() {}

        public static @Nullable StealRule leak() {
            return Boolean.getBoolean("heddle.leak") ? StealRule.GO : null;
        }
    }
}
