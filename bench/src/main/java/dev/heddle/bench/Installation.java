package dev.heddle.bench;

import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The places of Heddle's own files.
///
/// @param bench  the module's folder, with the Go sources in it
/// @param heddle the library's jar, which is also the agent; a folder of classes in a build that has not packaged it
record Installation(Path bench, Path heddle) {

    /// The installation of the running program.
    static Installation locate() {
        Path own = placeOf("dev/heddle/bench/Installation.class");
        for (Path folder = own; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("go").resolve("go.mod"))) {
                return new Installation(folder, placeOf("dev/heddle/package-info.class"));
            }
        }
        throw new IllegalStateException("the sources of the Go peer are not above " + own);
    }

    /// This module's build folder.
    Path target() {
        return bench.resolve("target");
    }

    /// The testkit's jar, which is also its agent; a folder of classes in a build that has not packaged it.
    static Path testkit() {
        return placeOf("dev/heddle/testkit/package-info.class");
    }

    private static Path placeOf(String member) {
        @Nullable URL url = Installation.class.getClassLoader().getResource(member);
        if (url == null) {
            throw new IllegalStateException(member + " is not on the class path");
        }
        String place = url.toString();
        place = place.substring(0, place.length() - member.length());
        if (place.startsWith("jar:")) {
            place = place.substring("jar:".length(), place.length() - "!/".length());
        }
        return Path.of(URI.create(place)).normalize();
    }
}
