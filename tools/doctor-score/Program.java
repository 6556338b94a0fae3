import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A program of one file, with what its header says about it. The header is a comment of lines `// key: text`; a line
/// `//     text` continues the line before.
///
/// `problem`, `place` (a `Class.method`; several are allowed) and `remedy` describe a problem. `healthy` says what a
/// healthy program does. `jars` is a folder with a `pom.xml`, whose jars and classes the program needs, and `load: yes`
/// asks for requests to the port that the program gets as its argument.
record Program(Path file, List<Entry> header) {

    record Entry(String key, String text) {}

    static List<Program> in(Path folder, Pattern only) throws IOException {
        List<Program> programs = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".java")).sorted().toList()) {
                Program program = read(file);
                if (only.matcher(program.name()).find()) {
                    programs.add(program);
                }
            }
        }
        return programs;
    }

    private static Program read(Path file) throws IOException {
        List<Entry> header = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.startsWith("//")) {
                break;
            }
            if (line.startsWith("//     ")) {
                Entry last = header.removeLast();
                header.add(new Entry(last.key(), last.text() + " " + line.substring(7)));
            } else {
                String[] parts = line.substring(2).split(":", 2);
                header.add(new Entry(parts[0].strip(), parts[1].strip()));
            }
        }
        return new Program(file, List.copyOf(header));
    }

    String name() {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - ".java".length());
    }

    boolean isHealthy() {
        return value("healthy").isPresent();
    }

    Optional<String> value(String key) {
        return header.stream().filter(it -> it.key().equals(key)).map(Entry::text).findFirst();
    }

    /// Whether one of the places is in the text. A lambda in a method counts as the method.
    boolean placeIsIn(String text) {
        return header.stream().filter(it -> it.key().equals("place")).anyMatch(it -> {
            int dot = it.text().lastIndexOf('.');
            String owner = Pattern.quote(it.text().substring(0, dot));
            String method = Pattern.quote(it.text().substring(dot + 1));
            return Pattern.compile("(?<!\\w)" + owner + "\\.(lambda\\$)?" + method + "(?!\\w)")
                    .matcher(text)
                    .find();
        });
    }
}
