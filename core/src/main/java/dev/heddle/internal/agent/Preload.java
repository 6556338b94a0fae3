package dev.heddle.internal.agent;

import dev.heddle.internal.jdk.ClassDefiner;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// Defines the classes that the installation needs, one after the other, out of one entry of the agent's jar.
///
/// A JVM that has just started interprets the code of its class loader, which takes 0.4 ms to load a class from a jar:
/// 40 ms for these classes. Read straight from the jar they take 13 ms, and less from one entry, into which the build
/// (`src/build`) has put them. This only saves time: a class that is not defined here is loaded on first use.
final class Preload {

    /// Class files in the order in which the installation needs them, superclasses first, each after its length.
    static final String CLASSES = "dev/heddle/internal/agent/preload.bin";

    private static final byte[] NONE = {};

    private Preload() {}

    static void all() {
        ProtectionDomain domain = Preload.class.getProtectionDomain();
        File jar = jarOf(domain.getCodeSource());
        if (jar == null || ClassDefiner.areArchived()) {
            return;
        }
        byte[] classes = read(jar);
        ByteBuffer left = ByteBuffer.wrap(classes);
        while (left.hasRemaining()) {
            int length = left.getInt();
            define(classes, left.position(), length, domain);
            left.position(left.position() + length);
        }
    }

    private static byte[] read(File jar) {
        try (ZipFile file = new ZipFile(jar)) {
            ZipEntry entry = file.getEntry(CLASSES);
            if (entry == null) {
                return NONE;
            }
            try (InputStream in = file.getInputStream(entry)) {
                return in.readAllBytes();
            }
        } catch (IOException _) {
            return NONE; // the first user of a class that cannot be loaded reports it
        }
    }

    private static void define(byte[] classes, int from, int length, ProtectionDomain domain) {
        try {
            ClassDefiner.define(
                    Preload.class.getClassLoader(), Arrays.copyOfRange(classes, from, from + length), domain);
        } catch (LinkageError _) {
            // already loaded, because of another agent
        }
    }

    private static @Nullable File jarOf(@Nullable CodeSource source) {
        try {
            File file = source == null ? null : new File(source.getLocation().toURI());
            return file != null && file.isFile() ? file : null;
        } catch (URISyntaxException | IllegalArgumentException _) {
            return null; // not a local file
        }
    }
}
