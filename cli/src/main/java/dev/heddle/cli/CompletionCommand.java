package dev.heddle.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `heddle completion bash`: the script with which a shell completes commands and options.
@Command(
        name = "completion",
        description = "Prints a script that lets a shell complete commands.",
        customSynopsis = "heddle completion bash|zsh",
        footer = {
            "%nExamples:",
            "  source <(heddle completion bash)      in this shell, or as a line of .bashrc",
            "  source <(heddle completion zsh)       in this shell, or as a line of .zshrc"
        })
final class CompletionCommand implements Runnable {

    /// What zsh needs before it understands a script for bash.
    private static final String ZSH = """
            autoload -U +X compinit && compinit -u
            autoload -U +X bashcompinit && bashcompinit
            """;

    private enum Shell {
        bash,
        zsh
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "SHELL", description = "One of bash and zsh.")
    private Shell shell = Shell.bash;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (shell == Shell.zsh) {
            out.print(ZSH);
        }
        out.println(AutoComplete.bash("heddle", spec.root().commandLine()));
        out.flush();
    }
}
