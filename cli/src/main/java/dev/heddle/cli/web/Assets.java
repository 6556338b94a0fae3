package dev.heddle.cli.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The files of the page, which are resources of this program. There are no others: a path is looked up in this list,
/// and never in a file system.
final class Assets {

    private static final List<String> FILES = List.of(
            "index.html",
            "style.css",
            "icon.svg",
            "main.js",
            "server.js",
            "format.js",
            "elements.js",
            "plot.js",
            "plots.js",
            "processors.js",
            "goroutines.js",
            "findings.js",
            "record.js",
            "theme.js");

    private final Map<String, Reply> replies = new TreeMap<>();

    Assets() throws IOException {
        for (String name : FILES) {
            try (InputStream file = Assets.class.getResourceAsStream(name)) {
                if (file == null) {
                    throw new IOException("this build of Heddle is incomplete: it has no " + name + ".");
                }
                replies.put(name.equals("index.html") ? "" : name, Reply.file(type(name), file.readAllBytes()));
            }
        }
    }

    /// The file at that path below the token; null if there is none.
    @Nullable
    Reply at(String path) {
        return replies.get(path);
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.'))) {
            case ".html" -> "text/html; charset=utf-8";
            case ".css" -> "text/css; charset=utf-8";
            case ".svg" -> "image/svg+xml";
            default -> "text/javascript; charset=utf-8";
        };
    }
}
