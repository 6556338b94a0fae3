package dev.heddle.testkit.tests;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.heddle.testkit.Bubble;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// Runs a test class by JUnit's plain launcher, as a fork of Surefire or an IDE does, and prints its failures:
/// `SampleLauncher CLASS`.
final class SampleLauncher {

    private SampleLauncher() {}

    public static void main(String[] arguments) throws ClassNotFoundException {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(Class.forName(arguments[0])))
                                .build(),
                        summary);
        System.out.println("the testkit is in " + Bubble.class.getModule());
        summary.getSummary()
                .getFailures()
                .forEach(failure -> System.out.println(failure.getException().getMessage()));
        System.out.println("passed " + summary.getSummary().getTestsSucceededCount());
    }
}
