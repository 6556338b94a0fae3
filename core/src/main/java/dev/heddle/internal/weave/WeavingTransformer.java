package dev.heddle.internal.weave;

import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Weaves the classes that match a pattern when they are loaded; prints a line for each that it had to leave out.
public final class WeavingTransformer implements ClassFileTransformer {

    private final ClassPattern pattern;
    private final Weaver weaver;

    public WeavingTransformer(ClassPattern pattern, Weaver weaver) {
        this.pattern = pattern;
        this.weaver = weaver;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String internalName,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (loader == null || loader == ClassLoader.getPlatformClassLoader() || internalName == null) {
            return null; // the JDK's own classes, and hidden ones
        }
        String name = internalName.replace('/', '.');
        if (name.startsWith("dev.heddle.") || !pattern.matches(name)) {
            return null;
        }
        try {
            Function<String, @Nullable InputStream> files = loader::getResourceAsStream;
            Weaver.Woven woven = weaver.weave(classFile, files);
            report(woven.leftOut());
            return woven.classFile();
        } catch (RuntimeException | LinkageError e) {
            report(List.of(name + " cannot be woven (" + e.getMessage() + ")"));
            return null;
        }
    }

    private static void report(List<String> leftOut) {
        for (String sentence : leftOut) {
            System.err.println("heddle: no preemption points: ".concat(sentence).concat("."));
        }
    }
}
