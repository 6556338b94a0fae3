package dev.heddle.cli;

import picocli.CommandLine.Option;

/// The `--help` option of every command.
final class HelpOption {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    @SuppressWarnings("UnusedVariable") // picocli sets it and acts on it
    private boolean requested;
}
