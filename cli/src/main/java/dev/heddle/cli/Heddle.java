package dev.heddle.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/// The `heddle` command.
///
/// Exit codes: the program's own for `run`, 0 for success, 2 for wrong usage, 1 for all other errors. A mistake of the
/// user results in one sentence, never in a stack trace.
@Command(
        name = "heddle",
        description = "Runs Java programs on Go's scheduler, and looks at what it does.",
        synopsisSubcommandLabel = "COMMAND")
public final class Heddle implements Runnable {

    private static final int FAILURE = 1;
    private static final int WRONG_USAGE = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Heddle() {}

    /// Runs the command and ends the JVM with its exit code.
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine run = withHelp(new RunCommand()) // parses its arguments itself: most belong to the program
                .setUnmatchedOptionsArePositionalParams(true)
                .setStopAtPositional(true);
        CommandLine bench = new CommandLine(new BenchCommand()) // all its arguments belong to another program
                .setUnmatchedOptionsArePositionalParams(true)
                .setStopAtPositional(true);
        return withHelp(new Heddle())
                .addSubcommand(run)
                .addSubcommand(bench)
                .addSubcommand(withHelp(new PsCommand()))
                .addSubcommand(withHelp(new DoctorCommand()))
                .addSubcommand(withHelp(new BugsCommand()))
                .addSubcommand(withHelp(new InfoCommand()))
                .addSubcommand(withHelp(new DumpCommand()))
                .addSubcommand(withHelp(new LeaksCommand()))
                .addSubcommand(withHelp(new TopCommand()))
                .addSubcommand(withHelp(new DebugCommand()))
                .addSubcommand(withHelp(new ProcsCommand()))
                .addSubcommand(withHelp(new VersionCommand()))
                .addSubcommand(new CommandLine.HelpCommand())
                .setParameterExceptionHandler(Heddle::wrongUsage)
                .setExecutionExceptionHandler(Heddle::failure);
    }

    private static CommandLine withHelp(Object command) {
        return new CommandLine(CommandSpec.forAnnotatedObject(command)
                .addMixin("help", CommandSpec.forAnnotatedObject(new HelpOption())));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do");
    }

    private static int wrongUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String sentence = String.valueOf(e.getMessage()).strip().replaceFirst("\\.$", "");
        if (e instanceof UnmatchedArgumentException unmatched) {
            String what = command.getParent() == null ? "there is no command '%s'" : "'%s' is one argument too many";
            sentence = what.formatted(unmatched.getUnmatched().getFirst());
        }
        String help = command.getParent() == null ? "heddle help" : "heddle help " + command.getCommandName();
        return say(command, "%s; '%s' shows what there is.".formatted(sentence, help), WRONG_USAGE);
    }

    private static int failure(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        return say(command, e.getMessage() == null ? e.toString() : e.getMessage(), FAILURE);
    }

    private static int say(CommandLine command, String sentence, int exitCode) {
        PrintWriter err = command.getErr();
        err.println("heddle: " + sentence);
        err.flush();
        return exitCode;
    }
}
