package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class HeddleTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
                    ``                      , say what to do
                    frobnicate              , there is no command 'frobnicate'
                    tpo                     , there is no command 'tpo' (did you mean 'top'?)
                    --frobnicate            , there is no option '--frobnicate'
                    --verison               , there is no option '--verison' (did you mean '--version'?)
                    help frobnicate         , there is no command 'frobnicate'
                    help docter             , there is no command 'docter' (did you mean 'doctor'?)
                    help top dump           , 'dump' is one argument too many
                    version 2               , '2' is one argument too many
                    procs 2                 , '2' is one argument too many
                    procs -Dx=1             , the option -D knows no 'x' here
                    procs -Dheddle.proc=1   , the option -D knows no 'heddle.proc' here (did you mean 'heddle.procs'?)
                    run                     , `say what to run, for example 'heddle run Hello.java'`
                    run -Xmx1g              , `say what to run, for example 'heddle run Hello.java'`
                    run -cp                 , the option '-cp' needs a value
                    run Missing.java        , there is no file 'Missing.java'
                    run missing.jar         , there is no file 'missing.jar'
                    top                     , PID is missing ('heddle ps' lists the processes that run on Heddle)
                    info                    , PID is missing ('heddle ps' lists the processes that run on Heddle)
                    web                     , PID is missing ('heddle ps' lists the processes that run on Heddle)
                    web 1 --port -1         , `--port must be from 0 to 65535, not -1`
                    web 1 --port 65536      , `--port must be from 0 to 65535, not 65536`
                    web 1 --port http       , `--port must be a whole number, not 'http'`
                    top abc                 , `PID must be a whole number, not 'abc'`
                    doctor 1.5              , `PID must be a whole number, not '1.5'`
                    top 1 -d fast           , `-d must be a number, not 'fast'`
                    top 1 -n 0              , `-n must be at least 1, not 0`
                    top 1 --onec            , there is no option '--onec' (did you mean '--once'?)
                    top 1 --sort size       , `--sort must be wait or runnable or name or id, not 'size'`
                    dump 1 --limit -1       , `--limit must be at least 1, not -1`
                    dump 1 --limit=many     , `--limit must be a whole number, not 'many'`
                    dump 1 --limti=5        , there is no option '--limti=5' (did you mean '--limit'?)
                    dump 1 --scheduler      , --scheduler needs a value: --scheduler NAME
                    dump 1 --json --json    , --json is given twice
                    doctor 1 --seconds 0    , `--seconds must be at least 1, not 0`
                    bugs x                  , `NUMBER must be a whole number, not 'x'`
                    bugs 1 --fixed --broken , of the options that exclude each other only one may be given
                    completion fish         , `SHELL must be bash or zsh, not 'fish'`
                    completion              , SHELL is missing
                    run -p mods -m          , the option '-m' needs a value
                    run -jar x.jar          , '-jar' is not needed: name the jar alone
                    ps 1                    , '1' is one argument too many
                    """)
    void wrongUsageIsAnsweredByOneSentence(String line, String sentence) {
        assertThat(heddle(line)).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("heddle: " + sentence + "; 'heddle help")
                .endsWith("shows what there is.");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"help, COMMAND", "--help, COMMAND", "help run, PROGRAM", "run --help, PROGRAM", "help bench, NAME"})
    void helpIsNoError(String line, String part) {
        assertThat(heddle(line)).isZero();
        assertThat(out.toString()).startsWith("Usage: heddle").contains(part);
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "-V"})
    void versionNamesTheJdk(String line) {
        assertThat(heddle(line)).isZero();
        assertThat(out.toString()).startsWith("heddle ").contains("JDK 25").hasLineCount(1);
    }

    @TestFactory
    Stream<DynamicTest> theHelpOfEachCommandExplainsItselfItsOptionsAndItsExitCodes() {
        return Heddle.commandLine().getSubcommands().entrySet().stream()
                .filter(it -> !it.getKey().equals("bench")) // prints that of another program
                .map(it -> DynamicTest.dynamicTest(it.getKey(), () -> checkHelp(it.getKey(), it.getValue())));
    }

    private static void checkHelp(String name, CommandLine command) {
        StringWriter text = new StringWriter();
        CommandLine heddle = Heddle.commandLine().setOut(new PrintWriter(text));

        assertThat(heddle.execute(name, "--help")).isZero();

        assertThat(text.toString())
                .startsWith("Usage: heddle " + name)
                .contains("Exit codes:", "  0", "  1", "  2", "-h, --help");
        assertThat(text.toString().lines()).allSatisfy(it -> assertThat(it).hasSizeLessThanOrEqualTo(80));
        assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty();
        command.getCommandSpec().args().stream()
                .filter(it -> !it.hidden())
                .forEach(it -> assertThat(it.description()).as(it.toString()).isNotEmpty());
    }

    @Test
    void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
        assertThat(completions("bash", "", "heddle", "do")).contains("doctor");
        assertThat(completions("bash", "", "heddle", "top", "--o")).contains("--once");
        assertThat(completions("bash", "", "heddle", "completion", "z")).contains("zsh");
    }

    @Test
    void zshAcceptsTheScript() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/zsh")), "zsh is not installed here: apt-get install zsh");

        assertThat(completions("zsh", "emulate -L bash -o bashautolist 2>/dev/null;", "heddle", "do"))
                .contains("doctor");
    }

    /// What the shell would offer for the last of the words. The script leaves it in COMPREPLY.
    private List<String> completions(String shell, String first, String... words)
            throws IOException, InterruptedException {
        out.getBuffer().setLength(0);
        assertThat(heddle("completion " + shell)).isZero();
        String ask = out + "\n" + first + "COMP_WORDS=(" + String.join(" ", words) + "); COMP_CWORD="
                + (words.length - 1) + "; _complete_heddle; printf '%s\\n' \"${COMPREPLY[@]}\"\n";
        Process process = new ProcessBuilder(shell).redirectErrorStream(true).start();
        try (Writer in = process.outputWriter()) {
            in.write(ask);
        }
        List<String> lines = process.inputReader().lines().toList();
        assertThat(process.waitFor()).as(() -> String.join("\n", lines)).isZero();
        return lines;
    }

    private int heddle(String line) {
        CommandLine heddle = Heddle.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.isEmpty() ? heddle.execute() : heddle.execute(line.split(" "));
    }
}
