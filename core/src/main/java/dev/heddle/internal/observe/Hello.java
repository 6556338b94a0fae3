package dev.heddle.internal.observe;

import dev.heddle.internal.settings.Settings;
import dev.heddle.internal.wire.Request;
import org.jspecify.annotations.Nullable;

/// How a JVM introduces itself to a command.
///
/// @param protocol the version of the protocol that it speaks
/// @param version  its version of Heddle; null if Heddle is not packaged
/// @param pid      its number, as it knows itself
/// @param java     its JDK
/// @param command  the program and its arguments, as the JVM was started
public record Hello(int protocol, @Nullable String version, long pid, String java, String command) {

    static Hello ofThisJvm() {
        return new Hello(
                Request.PROTOCOL,
                Hello.class.getPackage().getImplementationVersion(),
                ProcessHandle.current().pid(),
                Runtime.version().toString(),
                Settings.fact("sun.java.command"));
    }
}
