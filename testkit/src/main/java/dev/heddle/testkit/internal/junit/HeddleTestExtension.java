package dev.heddle.testkit.internal.junit;

import dev.heddle.testkit.Bubble;
import dev.heddle.testkit.HeddleTest;
import dev.heddle.testkit.Options;
import dev.heddle.testkit.Report;
import dev.heddle.testkit.ScheduleFailure;
import dev.heddle.testkit.Strategy;
import dev.heddle.testkit.internal.Checker;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/// Runs a [HeddleTest]: JUnit sees one invocation, which is skipped, and behind it run all schedules.
public final class HeddleTestExtension implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        HeddleTest annotation = AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), HeddleTest.class)
                .orElseThrow();
        PerClass.refuse(context);
        Options options;
        try {
            options = Overrides.apply(optionsOf(annotation));
        } catch (IllegalArgumentException e) {
            throw new ExtensionConfigurationException(String.valueOf(e.getMessage()));
        }
        return Stream.of(new OneInvocation(options));
    }

    private static Options optionsOf(HeddleTest annotation) {
        return new Options(
                annotation.schedules(),
                annotation.seed(),
                annotation.strategy(),
                annotation.depth(),
                List.of(annotation.points()),
                annotation.time(),
                annotation.escapes(),
                annotation.maxSteps(),
                annotation.leaks(),
                annotation.replay());
    }

    private record OneInvocation(Options options) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            if (!options.replay().isEmpty()) {
                return "replay of " + options.replay();
            }
            if (options.schedules() == 1 || options.strategy().isSingle()) {
                return "1 schedule";
            }
            String most = options.strategy() == Strategy.EXHAUSTIVE ? "at most " : "";
            return most + options.schedules() + " schedules";
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new Runner(options), new BubbleParameter());
        }
    }

    /// Gives JUnit something to pass to the invocation that is skipped.
    private static final class BubbleParameter implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Bubble.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return NoBubble.INSTANCE;
        }
    }

    /// Replaces JUnit's one call of the test by those of all schedules. JUnit's own calls of the methods around
    /// it are skipped, because each schedule makes them itself.
    private record Runner(Options options) implements InvocationInterceptor {

        private Report check(Class<?> type, TestBody body, ExtensionContext context) {
            try {
                return Checker.check(options, type.getPackageName(), body);
            } catch (ScheduleFailure failure) {
                if (failure.getCause() instanceof NullPointerException) {
                    new InjectedFields(context.getRequiredTestInstances()).explain(failure);
                }
                throw failure;
            }
        }

        @Override
        public void interceptBeforeEachMethod(
                Invocation<@Nullable Void> invocation,
                ReflectiveInvocationContext<Method> method,
                ExtensionContext context) {
            invocation.skip();
        }

        @Override
        public void interceptAfterEachMethod(
                Invocation<@Nullable Void> invocation,
                ReflectiveInvocationContext<Method> method,
                ExtensionContext context) {
            invocation.skip();
        }

        @Override
        public void interceptTestTemplateMethod(
                Invocation<@Nullable Void> invocation,
                ReflectiveInvocationContext<Method> method,
                ExtensionContext context) {
            invocation.skip();
            Class<?> type = context.getRequiredTestClass();
            TestBody body = new TestBody(context.getRequiredTestInstances(), method.getExecutable());
            Report report = check(type, body, context);
            body.requireNotAborted();
            context.publishReportEntry(Map.of(
                    "schedules",
                    Integer.toString(report.schedules()),
                    "distinct",
                    Integer.toString(report.distinct())));
        }
    }
}
