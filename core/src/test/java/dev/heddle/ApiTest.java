package dev.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.heddle.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The exported API is the recorded one. A change of it is made on purpose, and shows in the diff of a commit.
class ApiTest {

    private static final Path RECORD = Path.of("src", "test", "resources", "api", "dev.heddle.txt");
    private static final String ACCEPT = "mvn -pl core test -Dtest=ApiTest -Dheddle.api=accept";
    private static final List<String> HEAD = List.of(
            "# The public and protected API of the module dev.heddle. ApiTest compares it with the code.",
            "# " + ACCEPT + " writes this file.");

    private static final Pattern TYPE = Pattern.compile("(?:class|interface|enum|record) ([\\w.]+)");

    @Test
    void theApiIsTheRecordedOne() throws IOException {
        List<String> actual = ApiListing.ofExported(ChildJvm.home(Scheduler.class));
        if ("accept".equals(System.getProperty("heddle.api"))) {
            List<String> lines = new ArrayList<>(HEAD);
            lines.addAll(actual);
            Files.createDirectories(RECORD.getParent());
            Files.write(RECORD, lines);
        }
        List<String> recorded = Files.readAllLines(RECORD).stream()
                .filter(it -> !it.startsWith("#"))
                .toList();
        String difference = difference(recorded, actual);
        if (!difference.isEmpty()) {
            fail(difference);
        }
    }

    /// Empty if there is none.
    private static String difference(List<String> recorded, List<String> actual) {
        Set<String> before = entries(recorded);
        Set<String> after = entries(actual);
        StringBuilder text = new StringBuilder();
        append(text, "incompatible: recorded, but no longer in the code", "- ", before, after);
        append(text, "not recorded: in the code only", "+ ", after, before);
        return text.isEmpty()
                ? ""
                : "The API differs from core/" + RECORD + ".\n" + text + "If that is intended: " + ACCEPT + "\n";
    }

    private static void append(StringBuilder text, String title, String sign, Set<String> all, Set<String> others) {
        List<String> alone = all.stream().filter(it -> !others.contains(it)).toList();
        if (!alone.isEmpty()) {
            text.append(title).append('\n');
            alone.forEach(it -> text.append(sign).append(it).append('\n'));
        }
    }

    /// Each line, with the name of its type if it is a member.
    private static Set<String> entries(List<String> lines) {
        Set<String> entries = new LinkedHashSet<>();
        String type = "";
        for (String line : lines) {
            if (!line.startsWith(" ")) {
                Matcher name = TYPE.matcher(line);
                assertThat(name.find()).as(line).isTrue();
                type = name.group(1);
                entries.add(line);
            } else {
                entries.add(type + ": " + line.strip());
            }
        }
        return entries;
    }

    // ---- the comparison itself

    @Test
    void aRemovedMemberIsIncompatible() {
        assertThat(difference(List.of("class a.B", "    int c()", "    int d()"), List.of("class a.B", "    int d()")))
                .contains("incompatible: recorded, but no longer in the code\n- a.B: int c()\n")
                .doesNotContain("not recorded")
                .contains("mvn -pl core test -Dtest=ApiTest -Dheddle.api=accept");
    }

    @Test
    void anAddedMemberIsNotRecorded() {
        assertThat(difference(List.of("class a.B", "    int d()"), List.of("class a.B", "    int c()", "    int d()")))
                .contains("not recorded: in the code only\n+ a.B: int c()\n")
                .doesNotContain("incompatible");
    }

    @Test
    void aChangedMemberIsBoth() {
        assertThat(difference(List.of("class a.B", "    int c()"), List.of("class a.B", "    long c()")))
                .contains("- a.B: int c()\n", "+ a.B: long c()\n");
    }

    /// Members of another type do not stand in.
    @Test
    void aMemberThatMovedIsBoth() {
        assertThat(difference(
                        List.of("class a.B", "    int c()", "class a.D"),
                        List.of("class a.B", "class a.D", "    int c()")))
                .contains("- a.B: int c()\n", "+ a.D: int c()\n");
    }

    // ---- the listing itself

    @Test
    void everythingThatUsersCanNameIsListed() {
        List<Class<?>> types = List.of(
                ApiSample.class,
                ApiSample.Hidden.class,
                ApiSample.Visible.class,
                ApiSample.Closed.class,
                ApiSample.One.class,
                ApiSample.Two.class,
                ApiSample.Kind.class);
        assertThat(String.join("\n", ApiListing.of(types))).isEqualTo("""
                public final class dev.heddle.ApiSample
                public abstract static class dev.heddle.ApiSample.Visible<T extends @Nullable java.lang.Object> \
                extends java.util.function.Supplier<java.util.List<? super T>>
                    protected @Nullable T field
                    protected Visible(int) throws java.io.IOException
                    protected void inherited()
                    public static <E extends java.lang.Exception & java.lang.Comparable<E>> void several(int, E...) throws E
                    public static final int CONSTANT = 7
                    public static final java.lang.Object VARIABLE
                public static sealed interface dev.heddle.ApiSample.Closed permits dev.heddle.ApiSample.One
                    public default int number()
                public static final record dev.heddle.ApiSample.One extends java.lang.Record, dev.heddle.ApiSample.Closed
                    public @Nullable java.lang.String second()
                    public One(int, @Nullable java.lang.String)
                    public final boolean equals(java.lang.Object)
                    public final int hashCode()
                    public final java.lang.String toString()
                    public int first()
                public static final enum dev.heddle.ApiSample.Kind extends java.lang.Enum<dev.heddle.ApiSample.Kind>
                    public static dev.heddle.ApiSample.Kind valueOf(java.lang.String)
                    public static dev.heddle.ApiSample.Kind[] values()
                    public static final dev.heddle.ApiSample.Kind A""");
    }
}
