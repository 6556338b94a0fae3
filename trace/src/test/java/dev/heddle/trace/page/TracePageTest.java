package dev.heddle.trace.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.trace.Recording;
import dev.heddle.trace.SampleRecording;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The file: that it needs nothing else, and that nothing in a recording can break out of its data block.
final class TracePageTest {

    private static final String PAGE = Workshop.page(Workshop.scene().data("workshop.trace", 2));

    @Test
    void thePageNamesNoAddress() {
        assertThat(PAGE.replace("http-equiv", ""))
                .doesNotContainIgnoringCase("http")
                .doesNotContain("//cdn", "url(", "@import");
    }

    @Test
    void thePolicyAllowsExactlyThisScriptAndThisStyle() throws NoSuchAlgorithmException {
        assertThat(PAGE)
                .contains("default-src 'none'; script-src 'sha256-" + hash("<script>(.*?)</script>")
                        + "'; style-src 'sha256-" + hash("<style>(.*?)</style>") + "';")
                .doesNotContain("unsafe-", "innerHTML", "outerHTML", "document.write", "insertAdjacentHTML", "eval(");
    }

    private static String hash(String pattern) throws NoSuchAlgorithmException {
        Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(PAGE);
        assertThat(matcher.find()).isTrue();
        byte[] text = matcher.group(1).getBytes(StandardCharsets.UTF_8);
        return Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-256").digest(text));
    }

    @Test
    void aHostileNameStaysInTheData() {
        assertThat(PAGE).doesNotContain("broken", "{{");
        Matcher scripts = Pattern.compile("</script>").matcher(PAGE);
        List<Integer> ends = new ArrayList<>();
        while (scripts.find()) {
            ends.add(scripts.start());
        }
        assertThat(ends).hasSize(2);
    }

    @Test
    void theListsOfKindsInJavaAndInThePageAreTheSame() {
        Matcher list = Pattern.compile("KINDS = \\[(.*?)]", Pattern.DOTALL).matcher(Bundle.resource("kinds.js"));
        assertThat(list.find()).isTrue();
        List<String> kinds = Pattern.compile("'(\\w+)'")
                .matcher(list.group(1))
                .results()
                .map(it -> it.group(1))
                .toList();
        assertThat(kinds)
                .containsExactlyElementsOf(java.util.Arrays.stream(PageKind.values())
                        .map(PageKind::label)
                        .toList());
    }

    @Test
    void theNumbersOfKindsInThePageAreTheirPlaces() {
        String code = Bundle.resource("kinds.js");
        List<Integer> numbers = Pattern.compile("\\b[A-Z_]+ = (\\d+)")
                .matcher(code.substring(code.indexOf("CREATE ="), code.indexOf("TO_NEXT")))
                .results()
                .map(it -> Integer.valueOf(it.group(1)))
                .toList();
        assertThat(numbers)
                .hasSize(PageKind.values().length)
                .isSorted()
                .doesNotHaveDuplicates()
                .last()
                .isEqualTo(PageKind.values().length - 1);
    }

    @TempDir
    private Path folder;

    /// The real limit is five million.
    @Test
    void aRecordingWithTooManyEventsIsShownUpToTheLimit() throws IOException {
        Path file = SampleRecording.ofSwitches(folder.resolve("long.trace"), 3, 100, 0, 0);
        PageData data = TracePage.read(Recording.open(file), 250);
        assertThat(data.events()).isEqualTo(250);
        assertThat(new Unpacked(data).head.get("note")).isEqualTo("the page shows the first 250 events, up to 0.000 s");
        assertThat(new Unpacked(TracePage.read(Recording.open(file), 1000)).head.get("note"))
                .isEqualTo("");
    }
}
