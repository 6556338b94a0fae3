package dev.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Scheduler;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The Java in docs/from-go.md is compiled and run: what people copy works.
class FromGoTest {
    private static final Pattern SNIPPET =
            Pattern.compile("## (\\d+)\\. ([^\\n]*)\\n(?:(?!## ).)*?```java\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    @TestFactory
    List<DynamicTest> everySnippetCompilesAndEnds() throws Exception {
        var matcher = SNIPPET.matcher(Files.readString(Path.of("..", "docs", "from-go.md")));
        var tests = new ArrayList<DynamicTest>();
        while (matcher.find()) {
            String name = "Snippet" + matcher.group(1);
            String code = matcher.group(3);
            tests.add(DynamicTest.dynamicTest(matcher.group(1) + ". " + matcher.group(2), () -> run(name, code)));
        }
        assertThat(tests).hasSize(10);
        return tests;
    }

    private void run(String name, String code) throws Exception {
        String source = """
                import static dev.heddle.Select.*;
                import dev.heddle.*;
                import java.time.*;
                import java.util.List;
                public class %s {
                    public static void run() throws Throwable {
                        %s
                    }
                }
                """.formatted(name, code);
        Path file = Files.writeString(directory.resolve(name + ".java"), source);
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        directory.toString(),
                        file.toString());
        assertThat(status).as("javac of %s", name).isZero();
        try (var loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
                var scheduler = Scheduler.builder().procs(2).build()) {
            Method run = loader.loadClass(name).getMethod("run");
            var ended = new CompletableFuture<@Nullable Void>();
            scheduler.go(() -> {
                try {
                    run.invoke(null);
                    ended.complete(null);
                } catch (ReflectiveOperationException e) {
                    ended.completeExceptionally(e);
                }
            });
            ended.get(30, TimeUnit.SECONDS);
        }
    }
}
