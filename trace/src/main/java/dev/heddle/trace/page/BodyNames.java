package dev.heddle.trace.page;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Short names for the classes of bodies: without the package, and with a number instead of a lambda's address.
final class BodyNames {

    private static final Pattern LAMBDA = Pattern.compile("(.+)\\$\\$Lambda(?:/.*|\\d*)");

    private BodyNames() {}

    /// The short names, in the same order. Different classes keep different names.
    static List<String> shortened(List<String> names) {
        Map<String, Integer> lambdas = new HashMap<>();
        List<String> all = names.stream().map(it -> shortened(it, lambdas)).toList();
        Map<String, Integer> count = new HashMap<>();
        all.forEach(it -> count.merge(it, 1, Integer::sum));
        return java.util.stream.IntStream.range(0, all.size())
                .mapToObj(i -> count.getOrDefault(all.get(i), 1) > 1 ? names.get(i) : all.get(i))
                .toList();
    }

    private static String shortened(String name, Map<String, Integer> lambdas) {
        Matcher lambda = LAMBDA.matcher(name);
        if (lambda.matches()) {
            String owner = lambda.group(1);
            return withoutPackage(owner) + " λ" + lambdas.merge(owner, 1, Integer::sum);
        }
        return withoutPackage(name);
    }

    /// Only what looks like a class has a package: a thread's name may contain dots, too.
    private static String withoutPackage(String name) {
        return name.matches("(?:[\\p{javaJavaIdentifierPart}]+\\.)+[\\p{javaJavaIdentifierPart}]+")
                ? name.substring(name.lastIndexOf('.') + 1)
                : name;
    }
}
