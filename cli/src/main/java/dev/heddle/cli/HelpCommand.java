package dev.heddle.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle help top`: the same as `heddle top --help`.
@Command(
        name = "help",
        description = "Shows what a command does, and its options.",
        customSynopsis = "heddle help [COMMAND]")
final class HelpCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "COMMAND",
            description = "The command. Without it, all commands are listed.")
    private @Nullable String name;

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        PrintWriter out = root.getOut();
        commandNamed(name, root).usage(out);
        out.flush();
    }

    private static CommandLine commandNamed(@Nullable String name, CommandLine root) {
        if (name == null) {
            return root;
        }
        CommandLine command = root.getSubcommands().get(name);
        if (command == null) {
            throw new ParameterException(root, UsageErrors.noCommand(root, name));
        }
        return command;
    }
}
