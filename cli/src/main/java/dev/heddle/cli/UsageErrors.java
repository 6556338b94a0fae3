package dev.heddle.cli;

import dev.heddle.internal.settings.DidYouMean;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.MutuallyExclusiveArgsException;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Says in one sentence what is wrong with a command line. The parser's own messages name Java types and positions.
final class UsageErrors {

    /// Follows a sentence about a missing process.
    static final String PROCESSES_HINT = " ('heddle ps' lists the processes that run on Heddle)";

    private UsageErrors() {}

    /// The sentence without its full stop.
    static String sentence(ParameterException e) {
        return switch (e) {
            case UnmatchedArgumentException unmatched -> unmatched(unmatched);
            case MissingParameterException missing -> missing(missing.getMissing());
            case OverwrittenOptionException twice -> name(twice.getOverwritten()) + " is given twice";
            case MutuallyExclusiveArgsException _ -> "of the options that exclude each other only one may be given";
            default -> {
                ArgSpec argument = e.getArgSpec();
                yield argument != null && e.getValue() != null
                        ? name(argument) + " must be " + kind(argument) + ", not '" + e.getValue() + "'"
                        : String.valueOf(e.getMessage()).strip().replaceFirst("\\.$", "");
            }
        };
    }

    /// For a command that does not exist.
    static String noCommand(CommandLine root, String word) {
        return "there is no command '" + word + "'"
                + DidYouMean.hint(word, root.getSubcommands().keySet());
    }

    private static String unmatched(UnmatchedArgumentException e) {
        CommandLine command = e.getCommandLine();
        String word = e.getUnmatched().getFirst();
        if (word.startsWith("-")) {
            return "there is no option '" + word + "'" + DidYouMean.hint(nameIn(word), options(command));
        }
        return command.getParent() == null ? noCommand(command, word) : "'" + word + "' is one argument too many";
    }

    /// The option in a word such as `--limit=5`.
    private static String nameIn(String word) {
        int equals = word.indexOf('=');
        return equals < 0 ? word : word.substring(0, equals);
    }

    private static List<String> options(CommandLine command) {
        List<String> names = new ArrayList<>();
        for (OptionSpec option : command.getCommandSpec().options()) {
            names.addAll(List.of(option.names()));
        }
        return names;
    }

    private static String missing(List<ArgSpec> missing) {
        ArgSpec first = missing.getFirst();
        if (first.isOption()) {
            return name(first) + " needs a value: " + name(first) + " " + first.paramLabel();
        }
        String names = missing.stream().map(ArgSpec::paramLabel).collect(Collectors.joining(" and "));
        return names
                + (missing.size() == 1 ? " is missing" : " are missing")
                + (first.paramLabel().equals(WatchOptions.PID) ? PROCESSES_HINT : "");
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    /// What its value must be. Arguments are texts, numbers and names of a list; every text is accepted.
    private static String kind(ArgSpec argument) {
        Class<?> type = argument.type();
        if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
            return "a whole number";
        }
        if (type == double.class) {
            return "a number";
        }
        return Stream.of(type.getEnumConstants()).map(Object::toString).collect(Collectors.joining(" or "));
    }
}
