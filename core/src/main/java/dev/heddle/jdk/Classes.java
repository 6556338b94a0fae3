package dev.heddle.jdk;

import java.security.ProtectionDomain;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.VM;

/// How classes get into this JVM, past the class loaders' own code.
public final class Classes {

    private Classes() {}

    /// Defines a class as its loader would.
    ///
    /// @throws LinkageError if it is there already
    public static void define(ClassLoader loader, byte[] bytes, ProtectionDomain domain) {
        SharedSecrets.getJavaLangAccess().defineClass(loader, null, bytes, domain, null);
    }

    /// Whether the user named an archive of classes, or makes one: then loaders find classes there, and only there.
    public static boolean areArchived() {
        for (String argument : VM.getRuntimeArguments()) {
            if (argument.startsWith("-XX:AOT")
                    || argument.startsWith("-XX:SharedArchiveFile")
                    || argument.startsWith("-XX:ArchiveClassesAtExit")) {
                return true;
            }
        }
        return false;
    }
}
