package dev.heddle.internal.jdk;

import java.security.ProtectionDomain;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;

/// How classes get into this JVM, past the class loaders' own code.
public final class ClassDefiner {

    // java.lang.invoke.MethodHandleNatives.Constants: HIDDEN_CLASS, STRONG_LOADER_LINK
    private static final int HIDDEN = 2 | 4;

    private ClassDefiner() {}

    /// Defines a class as its loader would.
    ///
    /// @throws LinkageError if the class is already defined
    public static void define(ClassLoader loader, byte[] bytes, ProtectionDomain domain) {
        SharedSecrets.getJavaLangAccess().defineClass(loader, null, bytes, domain, null);
    }

    /// Defines a hidden class in the package of `host`, which lives as long as its loader, and creates an instance
    /// without calling a constructor. `name` is the class's internal name, as in `bytes`.
    public static Object newHidden(Class<?> host, String name, byte[] bytes) {
        try {
            Class<?> hidden = SharedSecrets.getJavaLangAccess()
                    .defineClass(
                            host.getClassLoader(),
                            host,
                            name,
                            bytes,
                            host.getProtectionDomain(),
                            /* initialize= */ true,
                            HIDDEN,
                            null);
            return Unsafe.getUnsafe().allocateInstance(hidden);
        } catch (InstantiationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Whether the command line names a class archive to use or to create: class loaders must then load the classes
    /// themselves, since only they find classes in the archive.
    public static boolean areArchived() {
        return JvmArguments.isAny("-XX:AOT", "-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit");
    }
}
