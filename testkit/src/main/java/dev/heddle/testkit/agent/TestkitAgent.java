package dev.heddle.testkit.agent;

import dev.heddle.testkit.internal.Installation;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/// The entry point of the testkit's agent: `java -javaagent:heddle-testkit.jar`. The testkit attaches it by itself
/// where it is missing.
public final class TestkitAgent {

    private TestkitAgent() {}

    /// At the start of a JVM. `options` must be empty.
    public static void premain(@Nullable String options, Instrumentation instrumentation) {
        if (options != null && !options.isEmpty()) {
            throw new IllegalArgumentException(
                    "heddle-testkit: the agent has no options, but was given \"" + options + "\".");
        }
        ModuleAccess.open(instrumentation);
        Installation.install(instrumentation);
    }

    /// In a JVM that runs.
    public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
        premain(options, instrumentation);
    }
}
