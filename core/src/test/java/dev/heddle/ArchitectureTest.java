package dev.heddle;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.heddle.queue.ForbiddenDependencies;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The dependencies between packages point one way: `queue, procs, jdk, event <- kernel <- observe <- dev.heddle`.
public final class ArchitectureTest {

    private static final JavaClasses HEDDLE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.heddle..");

    @SuppressWarnings("ImmutableEnumChecker") // a rule is immutable, ArchUnit only does not say so
    enum Rule {
        QUEUES_ARE_PURE_DATA_STRUCTURES(onlyUses("dev.heddle.queue..")),
        PROCS_KNOW_NOBODY(onlyUses("dev.heddle.procs..")),
        EVENTS_KNOW_NOBODY(onlyUses("dev.heddle.event..")),
        THE_JDK_SIDE_KNOWS_NO_KERNEL(onlyUses("dev.heddle.jdk..")),
        COUNTING_PROCESSORS_KNOWS_NOBODY(onlyUses("dev.heddle.procs..")),
        THE_KERNEL_KNOWS_NO_API(onlyUses(
                "dev.heddle.kernel..",
                "dev.heddle.queue..",
                "dev.heddle.jdk..",
                "dev.heddle.event..",
                "dev.heddle.procs..")),
        OBSERVERS_KNOW_NO_API(onlyUses(
                "dev.heddle.observe..",
                "dev.heddle.kernel..",
                "dev.heddle.jdk..",
                "dev.heddle.event..",
                "dev.heddle.procs..")),
        ONLY_THE_JDK_SIDE_TOUCHES_JDK_INTERNALS(noClasses()
                .that(resideInAPackage("dev.heddle..").and(not(resideInAPackage("dev.heddle.jdk.."))))
                .should()
                .dependOnClassesThat(resideInAnyPackage("jdk.internal..", "sun.."))),
        STEPS_OF_THE_WALL_CLOCK_GO_UNNOTICED(noClasses()
                .that(resideInAnyPackage(
                        "dev.heddle.kernel..", "dev.heddle.queue..", "dev.heddle.jdk..", "dev.heddle.procs.."))
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
                    .dependOnClassesThat(resideInAPackage("dev.heddle..").and(not(resideInAnyPackage(packages))))
                    .allowEmptyShould(true);
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

    /// A rule that never fires would pass as well: the fixture breaks two of them, one for each form.
    @Test
    void violationsAreFound() {
        JavaClasses fixture = new ClassFileImporter().importClasses(ForbiddenDependencies.class);

        assertThat(Rule.values())
                .filteredOn(it -> it.rule.evaluate(fixture).hasViolation())
                .containsExactly(Rule.QUEUES_ARE_PURE_DATA_STRUCTURES, Rule.ONLY_THE_JDK_SIDE_TOUCHES_JDK_INTERNALS);
    }
}
