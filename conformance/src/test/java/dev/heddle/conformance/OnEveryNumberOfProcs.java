package dev.heddle.conformance;

import dev.heddle.Scheduler;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/// Runs a test as the main goroutine of schedulers with 1, 2 and 8 processors.
///
/// What a goroutine of the test does not catch fails the test, as a panic would.
final class OnEveryNumberOfProcs implements TestTemplateInvocationContextProvider {
    private static final int[] PROCS = {1, 2, 8};

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return Arrays.stream(PROCS).mapToObj(procs -> new TestTemplateInvocationContext() {
            @Override
            public String getDisplayName(int index) {
                return "GOMAXPROCS=" + procs;
            }

            @Override
            public List<Extension> getAdditionalExtensions() {
                return List.of(new OnGoroutine(Machine.of(procs)));
            }
        });
    }

    /// A scheduler for all tests with so many processors. Never closed: some tests leave goroutines behind on
    /// purpose.
    private static final class Machine {
        private static final Map<Integer, Machine> MACHINES = new ConcurrentHashMap<>();

        final Scheduler scheduler;
        volatile CompletableFuture<@Nullable Void> test = new CompletableFuture<>();

        private Machine(int procs) {
            scheduler = Scheduler.builder()
                    .procs(procs)
                    .name("gomaxprocs-" + procs)
                    .uncaughtExceptionHandler((_, e) -> test.completeExceptionally(e))
                    .build();
        }

        static Machine of(int procs) {
            return MACHINES.computeIfAbsent(procs, Machine::new);
        }
    }

    private record OnGoroutine(Machine machine) implements InvocationInterceptor {
        @Override
        public void interceptTestTemplateMethod(
                Invocation<@Nullable Void> invocation,
                ReflectiveInvocationContext<Method> method,
                ExtensionContext context)
                throws Throwable {
            var test = new CompletableFuture<@Nullable Void>();
            machine.test = test;
            machine.scheduler.go(() -> {
                invocation.proceed();
                test.complete(null);
            });
            try {
                test.get(2, TimeUnit.MINUTES);
            } catch (ExecutionException e) {
                throw e.getCause();
            } catch (TimeoutException e) {
                throw new AssertionError("the test did not end; " + machine.scheduler.stats(), e);
            }
        }
    }
}
