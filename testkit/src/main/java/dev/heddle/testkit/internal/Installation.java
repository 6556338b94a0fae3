package dev.heddle.testkit.internal;

import dev.heddle.internal.jdk.Access;
import dev.heddle.testkit.internal.weave.HookGate;
import dev.heddle.testkit.internal.weave.TestkitTransformer;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/// Puts the testkit into this JVM, once: defines the hooks and weaves classes.
public final class Installation {

    private static @Nullable TestkitTransformer transformer; // guarded by this class

    private Installation() {}

    /// Called by the agent, after it has opened the JDK's packages.
    public static synchronized void install(Instrumentation instrumentation) {
        if (transformer != null) {
            return; // -javaagent twice, or attached again
        }
        Access.require();
        HookGate.open(Hooks.lookup(), Hooks.all());
        Internals.startPollers();
        TestkitTransformer made = new TestkitTransformer(instrumentation);
        made.install();
        transformer = made;
    }

    /// The transformer, after the agent has been attached if it was not there.
    static TestkitTransformer require() {
        TestkitTransformer installed = installed();
        if (installed == null) {
            SelfAttach.attach();
            installed = installed();
        }
        if (installed == null) {
            throw new IllegalStateException("the testkit's agent was attached and did not start: " + SelfAttach.ADVICE);
        }
        return installed;
    }

    private static synchronized @Nullable TestkitTransformer installed() {
        return transformer;
    }
}
