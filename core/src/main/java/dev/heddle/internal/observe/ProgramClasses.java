package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.LoadedClasses;
import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The class files of the program's own code: of the classes on the given stacks and of the classes they refer to,
/// nearest first. Only classes that have been loaded are included: code that never ran cannot be the cause.
final class ProgramClasses {

    /// Enough for a handful of busy places.
    private static final int LIMIT = 64;

    private final Set<ClassLoader> loaders = loaders();
    private final Queue<String> wanted = new ArrayDeque<>();
    private final Set<String> known = new HashSet<>();
    private final Map<String, byte[]> files = new HashMap<>();

    private ProgramClasses() {}

    /// @param frames as stack traces print them
    static Map<String, byte[]> of(Collection<String> frames) {
        var classes = new ProgramClasses();
        frames.forEach(it -> classes.add(classOf(it)));
        for (String name = classes.wanted.poll(); name != null; name = classes.wanted.poll()) {
            byte[] file = classes.read(name);
            if (file != null) {
                classes.files.put(name, file);
                classes.addReferences(file);
            }
        }
        return classes.files;
    }

    /// The class in `loader//pkg.Class.method(File.java:12)`.
    static String classOf(String frame) {
        int open = frame.indexOf('(');
        int dot = frame.lastIndexOf('.', open);
        return dot <= 0 ? "" : frame.substring(frame.lastIndexOf('/', dot) + 1, dot);
    }

    private void add(String name) {
        if (isPrograms(name) && known.size() < LIMIT && known.add(name)) {
            wanted.add(name);
        }
    }

    /// Whether a frame, as stack traces print it, is of the program's own code.
    static boolean isProgramsFrame(String frame) {
        return isPrograms(classOf(frame));
    }

    /// Whether a class of this name is the program's own code, neither the JDK's nor Heddle's.
    static boolean isPrograms(String name) {
        return !name.isEmpty()
                && !name.startsWith("java.")
                && !name.startsWith("javax.")
                && !name.startsWith("jdk.")
                && !name.startsWith("sun.")
                && !name.startsWith("com.sun.")
                && !name.startsWith("dev.heddle.");
    }

    private void addReferences(byte[] file) {
        try {
            for (PoolEntry entry : ClassFile.of().parse(file).constantPool()) {
                if (entry instanceof ClassEntry type && !type.asInternalName().startsWith("[")) {
                    add(type.asInternalName().replace('/', '.'));
                }
            }
        } catch (IllegalArgumentException _) {
            // not readable: its references are left out
        }
    }

    private byte @Nullable [] read(String name) {
        String resource = name.replace('.', '/') + ".class";
        for (ClassLoader loader : loaders) {
            if (!LoadedClasses.isLoaded(loader, name)) {
                continue;
            }
            try (InputStream in = loader.getResourceAsStream(resource)) {
                if (in != null) {
                    return in.readAllBytes();
                }
            } catch (IOException | RuntimeException _) {
                // this loader is closed or broken: another one may have the class
            }
        }
        return null;
    }

    /// The class loaders that the program's threads use: a stack frame does not lead to its class.
    private static Set<ClassLoader> loaders() {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        for (Kernel kernel : Inspector.kernels()) {
            for (Thread thread : Inspector.threads(kernel)) {
                ClassLoader loader = thread.getContextClassLoader();
                if (loader != null) {
                    loaders.add(loader);
                }
            }
        }
        loaders.add(ClassLoader.getSystemClassLoader());
        return loaders;
    }
}
