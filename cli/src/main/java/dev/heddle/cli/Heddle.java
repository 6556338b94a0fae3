package dev.heddle.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The `heddle` command.
///
/// A mistake of the user results in one sentence, never in a stack trace; [ExitCode] lists the exit codes.
@Command(
        name = "heddle",
        description = "Runs Java programs on Go's scheduler, and looks at what it does.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = VersionCommand.Version.class,
        footer = {
            "%nExamples:",
            "  heddle run Hello.java         runs a program on Heddle",
            "  heddle top 4711               shows what the scheduler of process 4711 does",
            "  heddle help top               explains a command"
        })
public final class Heddle implements Runnable {

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Prints the versions of Heddle and of the JDK.")
    @SuppressWarnings("UnusedVariable") // picocli sets it and acts on it
    private boolean versionRequested;

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
                .addSubcommand(withHelp(new PsCommand()))
                .addSubcommand(withHelp(new TopCommand()))
                .addSubcommand(withHelp(new WebCommand()))
                .addSubcommand(withHelp(new DumpCommand()))
                .addSubcommand(withHelp(new InfoCommand()))
                .addSubcommand(withHelp(new DoctorCommand()))
                .addSubcommand(withHelp(new LeaksCommand()))
                .addSubcommand(withHelp(new TraceCommand())
                        .addSubcommand(withHelp(new TraceSummaryCommand()))
                        .addSubcommand(withHelp(new TraceExportCommand()))
                        .addSubcommand(withHelp(new TraceViewCommand())))
                .addSubcommand(withHelp(new DebugCommand()))
                .addSubcommand(withHelp(new BugsCommand()))
                .addSubcommand(withHelp(new ProcsCommand()))
                .addSubcommand(bench)
                .addSubcommand(withHelp(new CompletionCommand()))
                .addSubcommand(withHelp(new VersionCommand()))
                .addSubcommand(withHelp(new HelpCommand()))
                .setParameterExceptionHandler(Heddle::wrongUsage)
                .setExecutionExceptionHandler(Heddle::failure);
    }

    /// Adds the option `--help`, and the exit codes to what it prints.
    private static CommandLine withHelp(Object command) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(command);
        spec.addMixin("help", CommandSpec.forAnnotatedObject(new HelpOption()));
        spec.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(ExitCode.list(spec.name()));
        return new CommandLine(spec);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do");
    }

    private static int wrongUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        CommandLine parent = command.getParent();
        String help = parent == null ? "heddle help" : "heddle help " + command.getCommandName();
        if (parent != null && parent.getParent() != null) {
            help = command.getCommandSpec().qualifiedName() + " --help"; // a command of a command
        }
        return say(
                command,
                "%s; '%s' shows what there is.".formatted(UsageErrors.sentence(e), help),
                ExitCode.WRONG_USAGE);
    }

    private static int failure(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        return say(command, e.getMessage() == null ? e.toString() : e.getMessage(), ExitCode.FAILURE);
    }

    private static int say(CommandLine command, String sentence, int exitCode) {
        PrintWriter err = command.getErr();
        err.println("heddle: " + sentence);
        err.flush();
        return exitCode;
    }
}
