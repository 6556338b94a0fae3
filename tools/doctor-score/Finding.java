import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// One cause that the doctor named, with its stack and all its text.
record Finding(String cause, List<String> stack, String text) {

    static final String NO_ANSWER = "no-answer";

    /// Reads the answer of `heddle doctor --json`: a list of schedulers, each with its findings.
    static List<Finding> parse(String json) {
        List<Finding> findings = new ArrayList<>();
        for (Object scheduler : (List<?>) Json.parse(json)) {
            for (Object finding : (List<?>) ((Map<?, ?>) scheduler).get("findings")) {
                Map<?, ?> members = (Map<?, ?>) finding;
                List<String> stack = new ArrayList<>();
                collect(members.get("stack"), stack);
                List<String> text = new ArrayList<>();
                collect(members, text);
                findings.add(new Finding((String) members.get("cause"), stack, String.join("\n", text)));
            }
        }
        return findings;
    }

    /// Stands for an answer that did not come.
    static Finding noAnswer(String complaint) {
        return new Finding(NO_ANSWER, List.of(), complaint);
    }

    private static void collect(Object value, List<String> strings) {
        switch (value) {
            case null -> {}
            case Map<?, ?> map -> map.values().forEach(it -> collect(it, strings));
            case List<?> list -> list.forEach(it -> collect(it, strings));
            default -> strings.add(value.toString());
        }
    }

    /// The first frame that belongs to the program itself.
    String firstPlace() {
        return stack.stream()
                .filter(it -> !it.contains("java.base/") && !it.contains("jdk.") && !it.startsWith("dev.heddle"))
                .findFirst()
                .or(() -> stack.stream().findFirst())
                .orElse("no stack");
    }
}
