package dev.heddle.trace.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Puts the JavaScript modules of the page together into one script: a page that is opened as a file cannot load
/// others.
///
/// A module comes after the modules that it imports. Its imports and the word `export` are left out, and the
/// script has one scope: so the names at the top of all modules must differ, and an import must not rename
/// anything. The browser refuses a script that declares a name twice.
final class Bundle {

    private static final String FOLDER = "/dev/heddle/trace/view/";
    private static final Pattern IMPORT = Pattern.compile("(?m)^import [^;]*? from '\\./([\\w-]+\\.js)';\\n");
    private static final Pattern EXPORT = Pattern.compile("(?m)^export ");

    private final Map<String, String> modules = new LinkedHashMap<>();
    private final Set<String> begun = new HashSet<>();

    private Bundle() {}

    /// The script that begins with this module.
    static String script(String main) {
        Bundle bundle = new Bundle();
        bundle.add(main);
        StringBuilder script = new StringBuilder("'use strict';\n");
        bundle.modules.forEach((name, code) ->
                script.append("\n// ---- ").append(name).append('\n').append(code));
        return script.toString();
    }

    /// Modules may import each other in a circle: functions are known everywhere, and nothing else is used at the top.
    private void add(String name) {
        if (!begun.add(name)) {
            return;
        }
        String code = resource(name);
        Matcher imported = IMPORT.matcher(code);
        while (imported.find()) {
            add(imported.group(1));
        }
        modules.put(name, EXPORT.matcher(IMPORT.matcher(code).replaceAll("")).replaceAll(""));
    }

    /// A file of the page, as text.
    static String resource(String name) {
        try (InputStream in = Bundle.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalArgumentException("there is no file " + name + " of the page");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
