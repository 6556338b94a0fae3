package dev.heddle.testkit.api;

import dev.heddle.testkit.Bubble;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/// A change of one file of Heddle's API that breaks it.
///
/// @param name    what is wrong
/// @param file    of package `dev.heddle`
/// @param before  a piece of the file that occurs once
/// @param after   what stands there instead
/// @param program that must fail
public record Mutant(String name, String file, String before, String after, ApiProgram program) {

    @Override
    public String toString() {
        return name;
    }

    /// The program, loaded with the mutant: of a class that is not [ApiProgram], though it has its name.
    public Bubble.Body load(Path directory) throws IOException, ReflectiveOperationException {
        Path original = Path.of("..", "core", "src", "main", "java", "dev", "heddle", file + ".java");
        String text = Files.readString(original);
        if (text.split(Pattern.quote(before), -1).length != 2) {
            throw new AssertionError(file + " does not have once: " + before);
        }
        Path source = directory.resolve(file + ".java");
        Files.writeString(source, text.replace(before, after));
        compile(source, directory);
        Class<?> type = new Loader(directory).loadClass(ApiProgram.class.getName());
        return (Bubble.Body) type.getField(program.name()).get(null);
    }

    private static void compile(Path source, Path directory) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int status = compiler.run(
                null,
                null,
                null,
                List.of(
                                "-proc:none",
                                "-Xlint:none",
                                "-nowarn",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                directory.toString(),
                                source.toString())
                        .toArray(String[]::new));
        if (status != 0) {
            throw new AssertionError("the mutant does not compile: " + source);
        }
    }

    /// Loads the API and the programs anew, the mutant's classes first. What they use of Heddle's other
    /// packages is shared.
    private static final class Loader extends ClassLoader {
        private final Path mutated;

        Loader(Path mutated) {
            super(Mutant.class.getClassLoader());
            this.mutated = mutated;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean isOwn = name.startsWith("dev.heddle.") && name.indexOf('.', "dev.heddle.".length()) < 0;
            if (!isOwn && !name.startsWith(ApiProgram.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/') + ".class";
            Path own = mutated.resolve(file);
            try (InputStream in =
                    Files.exists(own) ? Files.newInputStream(own) : getParent().getResourceAsStream(file)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
