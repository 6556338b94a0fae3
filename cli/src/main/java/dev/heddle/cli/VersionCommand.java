package dev.heddle.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `heddle version`: the versions of Heddle and of the JDK below it.
@Command(name = "version", description = "Prints the versions of Heddle and of the JDK.")
final class VersionCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        String version = Heddle.class.getPackage().getImplementationVersion();
        spec.commandLine()
                .getOut()
                .printf(
                        "heddle %s, JDK %s (%s)%n",
                        version == null ? "(unpackaged)" : version,
                        Runtime.version(),
                        System.getProperty("java.vendor"));
    }
}
