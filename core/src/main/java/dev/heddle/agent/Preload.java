package dev.heddle.agent;

import dev.heddle.internal.jdk.Classes;
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
/// A JVM that has just started interprets the code of its class loader, and takes 0.4 ms to load a class of a jar
/// by it: 40 ms for these. Straight from the jar they take 13, and less in one entry, where the build has put them
/// (`src/build`). Only time is gained: a class that is not defined here is loaded by whoever needs it.
final class Preload {

    /// Class files in the order in which the installation needs them, superclasses first, each after its length.
    static final String CLASSES = "dev/heddle/agent/preload.bin";

    private static final byte[] NONE = {};

    private Preload() {}

    static void all() {
        ProtectionDomain domain = Preload.class.getProtectionDomain();
        File jar = jarOf(domain.getCodeSource());
        if (jar == null || Classes.areArchived()) {
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
            return NONE; // whoever needs a class finds out, and says so
        }
    }

    private static void define(byte[] classes, int from, int length, ProtectionDomain domain) {
        try {
            Classes.define(Preload.class.getClassLoader(), Arrays.copyOfRange(classes, from, from + length), domain);
        } catch (LinkageError _) {
            // loaded already, by another agent's doing
        }
    }

    private static @Nullable File jarOf(@Nullable CodeSource source) {
        try {
            File file = source == null ? null : new File(source.getLocation().toURI());
            return file != null && file.isFile() ? file : null;
        } catch (URISyntaxException | IllegalArgumentException _) {
            return null; // not a file of this machine
        }
    }
}
