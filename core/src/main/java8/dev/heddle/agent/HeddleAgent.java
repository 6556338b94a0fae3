package dev.heddle.agent;

import dev.heddle.internal.agent.AgentStart;
import java.lang.instrument.Instrumentation;

/**
 * The agent's entry point: {@code java -javaagent:heddle.jar[=options] -jar app.jar}; also
 * {@code java -jar heddle.jar}.
 *
 * <p>Only this class is compiled for Java 8, so that an older JDK can load it and print what is wrong. It loads no
 * other class of Heddle before it has checked the version of the JDK.
 */
public final class HeddleAgent {

    private static final String JAVA = "25";

    private HeddleAgent() {}

    /** Puts every virtual thread of this JVM on Heddle, or prints one sentence and ends the JVM. */
    public static void premain(String options, Instrumentation instrumentation) {
        String running = System.getProperty("java.specification.version");
        if (!JAVA.equals(running)) {
            die("it needs JDK " + JAVA + " but this is JDK " + System.getProperty("java.version")
                    + ": start the program with a JDK " + JAVA + ", or without -javaagent:heddle.jar.");
        }
        String problem = install(options, instrumentation);
        if (problem != null) {
            die(problem);
        }
    }

    /**
     * The agent of an executable jar ({@code Launcher-Agent-Class}) runs before the program and may install Heddle. An
     * agent that is attached to a running program is too late, and leaves the program unchanged.
     */
    public static void agentmain(String options, Instrumentation instrumentation) {
        if ("main".equals(Thread.currentThread().getName())) {
            premain(options, instrumentation);
        } else {
            System.err.println("heddle: not installed: a running program keeps its scheduler; start it with"
                    + " -javaagent:heddle.jar.");
        }
    }

    /** Prints what this jar is. */
    public static void main(String[] arguments) {
        String version = HeddleAgent.class.getPackage().getImplementationVersion();
        System.out.println("Heddle " + (version == null ? "(not packaged)" : version)
                + ": Go's scheduler for Java's virtual threads.");
        if (arguments.length > 0 && (arguments[0].equals("-version") || arguments[0].equals("--version"))) {
            return;
        }
        System.out.println();
        System.out.println("Run a program on it, unchanged, with JDK " + JAVA + ":");
        System.out.println("    java -javaagent:heddle.jar -jar app.jar");
        System.out.println("    java -javaagent:heddle.jar=procs=4,schedtrace=1000 -jar app.jar");
        System.out.println();
        System.out.println("Options after '=', separated by commas; each is also a system property heddle.OPTION:");
        System.out.println("    procs=N        run N virtual threads at the same time (as GOMAXPROCS in Go)");
        System.out.println("    schedtrace=MS  print the scheduler's state every MS milliseconds (as GODEBUG in Go)");
        System.out.println("    preempt=NAMES  let loops of these classes be interrupted: com.acme.*:org.example.Parser");
        System.out.println("    metrics=PORT   serve figures to Prometheus on this machine: http://localhost:PORT/metrics");
        System.out.println("    observe=off    let no command observe this JVM: heddle top, dump, doctor and so on");
        System.out.println();
        System.out.println("Or put heddle.jar on the class path and use dev.heddle.Go, Chan, Select and Scheduler.");
    }

    /** Null on success, otherwise a sentence with the reason for the failure. */
    private static String install(String options, Instrumentation instrumentation) {
        try {
            return AgentStart.install(options, instrumentation);
        } catch (Throwable e) {
            return "it could not be installed in JDK " + System.getProperty("java.version") + ": " + e;
        }
    }

    private static void die(String sentence) {
        System.err.println("heddle: the program was not started: " + sentence);
        System.exit(1);
    }
}
