package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class HeddleTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
                    ``              , say what to do
                    frobnicate      , there is no command 'frobnicate'
                    --frobnicate    , there is no command '--frobnicate'
                    help frobnicate , Unknown subcommand 'frobnicate'
                    version 2       , '2' is one argument too many
                    procs 2         , '2' is one argument too many
                    procs -Dx=1     , the option -D knows no 'x' here
                    run             , `say what to run, for example 'heddle run Hello.java'`
                    run -Xmx1g      , `say what to run, for example 'heddle run Hello.java'`
                    run -cp         , the option '-cp' needs a value
                    run -p mods -m  , the option '-m' needs a value
                    run -jar x.jar  , '-jar' is not needed: name the jar alone
                    ps 1            , '1' is one argument too many
                    run Missing.java, there is no file 'Missing.java'
                    run missing.jar , there is no file 'missing.jar'
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

    @Test
    void versionNamesTheJdk() {
        assertThat(heddle("version")).isZero();
        assertThat(out.toString()).startsWith("heddle ").contains("JDK 25");
    }

    private int heddle(String line) {
        CommandLine heddle = Heddle.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.isEmpty() ? heddle.execute() : heddle.execute(line.split(" "));
    }
}
