import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs test classes (`internal.kernel.HogTest`) or single tests (`internal.kernel.HogTest#name`) of dev.heddle in the
/// given order, and ends the JVM at the first failure: one is enough to kill a mutant.
public final class RunTests {

    private RunTests() {}

    public static void main(String[] args) throws Exception {
        Listener listener = new Listener();
        for (String name : args) {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectors(name))
                    .configurationParameter("junit.jupiter.execution.timeout.default", "90 s")
                    .build();
            int before = listener.passed;
            LauncherFactory.create().execute(request, listener);
            if (listener.passed == before) {
                listener.fail("no test was run: " + name);
            }
        }
        halt(0); // hung threads of a passed test are no failure
    }

    /// Ends this JVM and the JVMs that its tests have started: with a mutant inside they may never end.
    private static void halt(int code) {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        System.out.flush();
        Runtime.getRuntime().halt(code);
    }

    private static List<DiscoverySelector> selectors(String name) throws ClassNotFoundException {
        List<DiscoverySelector> selectors = new ArrayList<>();
        int hash = name.indexOf('#');
        if (hash < 0) {
            selectors.add(selectClass("dev.heddle." + name));
        } else {
            Class<?> type = Class.forName("dev.heddle." + name.substring(0, hash));
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name.substring(hash + 1))) { // whatever its parameters
                    selectors.add(selectMethod(type, method));
                }
            }
        }
        return selectors;
    }

    private static final class Listener implements TestExecutionListener {
        private int passed;

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                System.out.println("RUNS " + nameOf(test));
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                result.getThrowable().ifPresent(it -> it.printStackTrace(System.out));
                fail(nameOf(test));
            }
            passed += test.isTest() ? 1 : 0;
        }

        private void fail(String what) {
            System.out.println("FAILED " + what);
            halt(1);
        }

        private static String nameOf(TestIdentifier test) {
            return test.getUniqueId()
                    .replaceAll("\\[engine:junit-jupiter\\]/\\[class:dev\\.heddle\\.([^\\]]*)\\]", "$1")
                    .replaceAll("/\\[(method|test-template):([^\\](]*)[^\\]]*\\]", "#$2")
                    .replaceAll("/\\[test-template-invocation:#(\\d+)\\]", "[$1]");
        }
    }
}
