package dev.heddle.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/// What a `heddle` command printed, and its exit code. The command runs in this JVM.
record HeddleResult(int exitCode, String out, String err) {

    static HeddleResult of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine heddle = Heddle.commandLine();
        heddle.setOut(new PrintWriter(out, true));
        heddle.setErr(new PrintWriter(err, true));
        int exitCode = heddle.execute(arguments);
        return new HeddleResult(exitCode, out.toString(), err.toString());
    }
}
