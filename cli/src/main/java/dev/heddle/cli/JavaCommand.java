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
/// @param jvmOptions options for the JVM, without the class path
/// @param classPath the value of `-cp`, or null
/// @param program a source file, a jar, or the name of a class
/// @param arguments the program's own arguments
record JavaCommand(List<String> jvmOptions, @Nullable String classPath, String program, List<String> arguments) {

    private static final Set<String> CLASS_PATH_OPTIONS = Set.of("-cp", "-classpath", "--class-path");

    /// JVM options whose value is a separate argument.
    private static final Set<String> OPTIONS_WITH_VALUE = Set.of(
            "-p",
            "--module-path",
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

    /// Takes options up to the first argument that is not an option, the program. The rest belongs to the program.
    static JavaCommand parse(List<String> line) {
        List<String> jvmOptions = new ArrayList<>();
        String classPath = null;
        for (int i = 0; i < line.size(); i++) {
            String word = line.get(i);
            if (word.startsWith("--class-path=")) {
                classPath = word.substring("--class-path=".length());
            } else if (CLASS_PATH_OPTIONS.contains(word)) {
                classPath = valueOf(word, line, ++i);
            } else if (OPTIONS_WITH_VALUE.contains(word)) {
                jvmOptions.add(word);
                jvmOptions.add(valueOf(word, line, ++i));
            } else if (word.equals("-jar") || word.equals("-m") || word.equals("--module")) {
                throw new IllegalArgumentException(
                        "'%s' is not needed: name the jar or the class alone".formatted(word));
            } else if (word.startsWith("-")) {
                jvmOptions.add(word);
            } else {
                return new JavaCommand(jvmOptions, classPath, existing(word), line.subList(i + 1, line.size()));
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
        if (program.endsWith(".jar")) {
            command.add("-jar"); // excludes a class path; the agent adds the library
        } else {
            command.add("-cp");
            command.add(userClassPath() + File.pathSeparator + heddle);
        }
        command.add(program);
        command.addAll(arguments);
        return command;
    }

    private String userClassPath() {
        return classPath != null ? classPath : System.getenv().getOrDefault("CLASSPATH", ".");
    }
}
