import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What a person said about each cause that the doctor named for a program: the file `judged`, with lines
/// `PROGRAM CAUSE fits|half|wrong  reason`.
final class Judged {

    enum Opinion {
        /// It is the problem of the header's sentence, in other words.
        FITS,
        /// It is a consequence of the problem or a part of it: a reader gets on the right track.
        HALF,
        /// It is another problem, which the program does not have.
        WRONG
    }

    private final Map<String, Opinion> opinions = new HashMap<>();

    Judged(Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] words = line.strip().split("\\s+", 4);
                if (words.length < 3) {
                    throw new IllegalArgumentException("judged: '" + line + "' lacks PROGRAM, CAUSE or opinion.");
                }
                opinions.put(words[0] + " " + words[1], Opinion.valueOf(words[2].toUpperCase()));
            }
        }
    }

    Optional<Opinion> of(Program program, Finding finding) {
        return Optional.ofNullable(opinions.get(program.name() + " " + finding.cause()));
    }
}
