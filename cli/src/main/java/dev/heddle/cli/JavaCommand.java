package dev.heddle.cli;

import dev.heddle.internal.jdk.Access;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A parsed `java` command line of the user.
///
/// @param jvmOptions options for the JVM, without class path and module path
/// @param classPath  the value of `-cp`, or null
/// @param modulePath the value of `-p`, or null
/// @param isModule   whether the program was named by `-m`
/// @param program    a source file, a jar, the name of a class, or a module and its class
/// @param arguments  the program's own arguments
record JavaCommand(
        List<String> jvmOptions,
        @Nullable String classPath,
        @Nullable String modulePath,
        boolean isModule,
        String program,
        List<String> arguments) {

    private static final Set<String> CLASS_PATH_OPTIONS = Set.of("-cp", "-classpath", "--class-path");
    private static final Set<String> MODULE_PATH_OPTIONS = Set.of("-p", "--module-path");
    private static final Set<String> MODULE_OPTIONS = Set.of("-m", "--module");

    /// JVM options whose value is a separate argument.
    private static final Set<String> OPTIONS_WITH_VALUE = Set.of(
            "--upgrade-module-path",
            "--add-modules",
            "--add-exports",
            "--add-opens",
            "--add-reads",
            "--limit-modules",
            "--enable-native-access",
            "--source",
            "--finalization");

    JavaCommand {
        jvmOptions = List.copyOf(jvmOptions);
        arguments = List.copyOf(arguments);
    }

    /// Takes options up to the first argument that is not an option, the program. The rest belongs to the
    /// program.
    static JavaCommand parse(List<String> line) {
        List<String> jvmOptions = new ArrayList<>();
        String classPath = null;
        String modulePath = null;
        for (int i = 0; i < line.size(); i++) {
            String word = line.get(i);
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            String option = equals < 0 ? word : word.substring(0, equals);
            boolean hasValue = CLASS_PATH_OPTIONS.contains(option)
                    || MODULE_PATH_OPTIONS.contains(option)
                    || MODULE_OPTIONS.contains(option);
            String value = !hasValue ? "" : equals < 0 ? valueOf(word, line, ++i) : word.substring(equals + 1);
            if (CLASS_PATH_OPTIONS.contains(option)) {
                classPath = value;
            } else if (MODULE_PATH_OPTIONS.contains(option)) {
                modulePath = value;
            } else if (MODULE_OPTIONS.contains(option)) {
                List<String> arguments = line.subList(i + 1, line.size());
                return new JavaCommand(jvmOptions, classPath, modulePath, /* isModule= */ true, value, arguments);
            } else if (OPTIONS_WITH_VALUE.contains(word)) {
                jvmOptions.add(word);
                jvmOptions.add(valueOf(word, line, ++i));
            } else if (word.equals("-jar")) {
                throw new IllegalArgumentException("'-jar' is not needed: name the jar alone");
            } else if (word.startsWith("-")) {
                jvmOptions.add(word);
            } else {
                List<String> arguments = line.subList(i + 1, line.size());
                return new JavaCommand(
                        jvmOptions, classPath, modulePath, /* isModule= */ false, existing(word), arguments);
            }
        }
        throw new IllegalArgumentException("say what to run, for example 'heddle run Hello.java'");
    }

    private static String valueOf(String option, List<String> line, int index) {
        if (index == line.size()) {
            throw new IllegalArgumentException("the option '%s' needs a value".formatted(option));
        }
        return line.get(index);
    }

    private static String existing(String program) {
        boolean isFile = program.endsWith(".java") || program.endsWith(".jar");
        if (isFile && !Files.isRegularFile(Path.of(program))) {
            throw new IllegalArgumentException("there is no file '%s'".formatted(program));
        }
        return program;
    }

    /// The command line that starts the program on Heddle, with the `java` command of the running JDK.
    ///
    /// @param heddle the library: its jar, which is also the agent, or the folder of its unpackaged classes
    List<String> toCommandLine(Path heddle) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Files.isDirectory(heddle)) {
            command.addAll(List.of(Access.flags().split(" ", -1)));
        } else {
            command.add("-javaagent:" + heddle); // before the user's agents: they might start virtual threads
        }
        command.add("--enable-native-access=ALL-UNNAMED"); // for a few Linux system calls
        command.addAll(jvmOptions);
        addPaths(command, heddle);
        if (isModule) {
            command.add("-m");
        } else if (isJar()) {
            command.add("-jar"); // excludes a class path; the agent adds the library
        }
        command.add(program);
        command.addAll(arguments);
        return command;
    }

    private boolean isJar() {
        return !isModule && program.endsWith(".jar");
    }

    /// The library is on the module path for modules that require it, and on the class path for all other
    /// programs.
    private void addPaths(List<String> command, Path heddle) {
        boolean isOnModulePath = isModule && !Files.isDirectory(heddle); // only the jar is a module
        if (isOnModulePath || modulePath != null) {
            command.add("-p");
            command.add(joined(modulePath, isOnModulePath ? heddle : null));
        }
        if (isOnModulePath && classPath != null) {
            command.add("-cp");
            command.add(classPath);
        } else if (!isOnModulePath && !isJar()) {
            command.add("-cp");
            command.add(joined(userClassPath(), heddle));
        }
    }

    private static String joined(@Nullable String path, @Nullable Path entry) {
        return path == null ? String.valueOf(entry) : entry == null ? path : path + File.pathSeparator + entry;
    }

    private String userClassPath() {
        return classPath != null ? classPath : System.getenv().getOrDefault("CLASSPATH", ".");
    }
}
