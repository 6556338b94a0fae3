package dev.heddle.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `heddle version`: the versions of Heddle and of the JDK below it.
@Command(name = "version", description = "Prints the versions of Heddle and of the JDK.")
final class VersionCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(text());
        out.flush();
    }

    private static String text() {
        String version = Heddle.class.getPackage().getImplementationVersion();
        return "heddle %s, JDK %s (%s)"
                .formatted(
                        version == null ? "(unpackaged)" : version,
                        Runtime.version(),
                        System.getProperty("java.vendor"));
    }

    /// What `heddle --version` prints.
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {text()};
        }
    }
}
