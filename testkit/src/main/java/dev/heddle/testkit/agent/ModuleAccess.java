package dev.heddle.testkit.agent;

import dev.heddle.Scheduler;
import dev.heddle.internal.agent.AgentStart;
import dev.heddle.internal.jdk.Access;
import java.lang.instrument.Instrumentation;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Lets the testkit use what it needs of the JDK and of Heddle's internals. On the class path these are in one module.
/// If the program requires Heddle, Heddle is a module of its own, and the testkit is in another.
final class ModuleAccess {

    private static final Module OWN = ModuleAccess.class.getModule();

    private ModuleAccess() {}

    /// Must run before any class is linked that uses Heddle's internals.
    static void open(Instrumentation instrumentation) {
        Module heddle = Scheduler.class.getModule();
        if (heddle != OWN) {
            instrumentation.redefineModule(heddle, Set.of(), toOwn(heddle.getPackages()), Map.of(), Set.of(), Map.of());
        }
        AgentStart.open(instrumentation);
        if (heddle != OWN) {
            instrumentation.redefineModule(
                    Object.class.getModule(),
                    Set.of(),
                    toOwn(Access.exported()),
                    toOwn(Access.opened()),
                    Set.of(),
                    Map.of());
        }
    }

    private static Map<String, Set<Module>> toOwn(Collection<String> packages) {
        return packages.stream().collect(Collectors.toMap(name -> name, _ -> Set.of(OWN)));
    }
}
