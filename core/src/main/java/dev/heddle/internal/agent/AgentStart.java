package dev.heddle.internal.agent;

import dev.heddle.internal.jdk.Access;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Opens the JDK packages that Heddle needs to itself, and then lets [Installation] do the rest.
///
/// `HeddleAgent` calls it. It links no class of the kernel: their superclasses are not accessible before the packages
/// are open.
public final class AgentStart {

    private AgentStart() {}

    /// Null if the JVM may start its program now; otherwise a sentence that says why it must not.
    public static @Nullable String install(@Nullable String text, Instrumentation instrumentation) {
        AgentOptions options;
        try {
            options = AgentOptions.parse(text);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        open(instrumentation);
        String problem = Access.problem();
        if (problem != null) {
            return problem;
        }
        Preload.all();
        return Installation.install(options, instrumentation);
    }

    /// To Heddle's module. It is the unnamed module of the system class loader, where the agent's jar and the class
    /// path are, unless the program has Heddle on its module path and requires it.
    public static void open(Instrumentation instrumentation) {
        Module base = Object.class.getModule();
        Set<Module> own = Set.of(AgentStart.class.getModule());
        Map<String, Set<Module>> exports = new HashMap<>();
        for (String name : Access.exported()) {
            exports.put(name, own);
        }
        Map<String, Set<Module>> opens = new HashMap<>();
        for (String name : Access.opened()) {
            opens.put(name, own);
        }
        instrumentation.redefineModule(base, Set.of(), exports, opens, Set.of(), Map.of());
    }
}
