import java.util.List;
import java.util.regex.Pattern;

/// A line of `places`: a class, the methods to be changed, and the tests that should fail, the quickest first.
record Place(String type, Pattern methods, List<String> tests) {

    static Place parse(String line) {
        String[] words = line.split("\\s+");
        return new Place(words[0], Pattern.compile(words[1]), List.of(words).subList(2, words.length));
    }
}
