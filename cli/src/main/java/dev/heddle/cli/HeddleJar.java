package dev.heddle.cli;

import java.net.URI;
import java.net.URL;
import java.nio.file.Path;

/// Finds the library on our own class path, to add it to the class path of the programs that we start.
final class HeddleJar {

    private static final String MEMBER = "dev/heddle/package-info.class";

    private HeddleJar() {}

    /// The library's jar, or its folder of classes in a build that has not packaged it.
    static Path locate() {
        URL member = HeddleJar.class.getClassLoader().getResource(MEMBER);
        if (member == null) {
            throw new IllegalStateException(
                    "heddle.jar is missing beside heddle-cli.jar; build both by 'mvn package'.");
        }
        String location = member.toString();
        location = location.substring(0, location.length() - MEMBER.length());
        if (location.startsWith("jar:")) {
            location = location.substring("jar:".length(), location.length() - "!/".length());
        }
        return Path.of(URI.create(location)).normalize();
    }
}
