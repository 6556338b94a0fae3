package dev.heddle.testkit.internal.weave;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.CodeTransform;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Weaves classes as they are loaded, and retransforms classes that were loaded before.
public final class TestkitTransformer implements ClassFileTransformer {

    private static final String OWN = "dev/heddle/testkit/internal/";

    private final Instrumentation instrumentation;
    private final List<PointPattern> patterns = new CopyOnWriteArrayList<>();

    /// Classes that could not be woven, each with the reason.
    private final Set<String> failures = ConcurrentHashMap.newKeySet();

    public TestkitTransformer(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /// Weaves the JDK and all reads of the clock. The hooks must be there.
    public void install() {
        instrumentation.addTransformer(this, /* canRetransform= */ true);
        List<Class<?>> again = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (isCandidate(type) && (isOfJdk(type) ? JdkEdits.concerns(internal(type)) : readsClock(type))) {
                again.add(type);
            }
        }
        retransform(again);
        if (!failures.isEmpty()) {
            throw new IllegalStateException("the testkit cannot weave this JVM's classes: " + failures);
        }
    }

    /// Weaves points into the classes that a check asks for.
    public synchronized void weave(Points points) {
        List<PointPattern> added = new ArrayList<>(points.patterns());
        added.removeAll(patterns);
        if (added.isEmpty()) {
            return;
        }
        patterns.addAll(added);
        List<Class<?>> again = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (isCandidate(type)
                    && !isOfJdk(type)
                    && added.stream().anyMatch(pattern -> pattern.matches(type.getName()))) {
                again.add(type);
            }
        }
        retransform(again);
    }

    private boolean isCandidate(Class<?> type) {
        return !type.isArray() && !type.isPrimitive() && !type.isHidden() && instrumentation.isModifiableClass(type);
    }

    private static boolean isOfJdk(Class<?> type) {
        return isOfJdk(type.getClassLoader());
    }

    private static boolean isOfJdk(@Nullable ClassLoader loader) {
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    private static String internal(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private static boolean readsClock(Class<?> type) {
        if (internal(type).startsWith(OWN)) {
            return false;
        }
        try (InputStream in = type.getResourceAsStream("/" + internal(type) + ".class")) {
            return in != null && ClockEdits.mayApply(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void retransform(List<Class<?>> types) {
        try {
            if (!types.isEmpty()) {
                instrumentation.retransformClasses(types.toArray(Class<?>[]::new));
            }
        } catch (UnmodifiableClassException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String internalName,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (internalName == null || internalName.startsWith(OWN)) {
            return null;
        }
        try {
            return isOfJdk(loader)
                    ? ofJdk(loader, internalName, classFile)
                    : ofProgram(loader, internalName, classFile);
        } catch (RuntimeException | LinkageError e) {
            failures.add(internalName.replace('/', '.') + " (" + e + ")");
            System.err.println("heddle-testkit: " + internalName.replace('/', '.') + " cannot be woven (" + e
                    + "): its threads may keep real time, and it has no points.");
            return null;
        }
    }

    private static byte @Nullable [] ofJdk(@Nullable ClassLoader loader, String internalName, byte[] classFile) {
        return JdkEdits.concerns(internalName) ? ClassEdits.apply(classFile, files(loader), JdkEdits::of) : null;
    }

    private byte @Nullable [] ofProgram(@Nullable ClassLoader loader, String internalName, byte[] classFile) {
        String name = internalName.replace('/', '.');
        boolean withPoints = patterns.stream().anyMatch(pattern -> pattern.matches(name));
        if (!withPoints && !ClockEdits.mayApply(classFile)) {
            return null;
        }
        ClassMembers members = new ClassMembers(files(loader));
        return ClassEdits.apply(classFile, files(loader), (method, count) -> {
            CodeTransform clock = new ClockEdits(count, /* alsoSpinWait= */ true);
            CodeTransform points = withPoints ? PointEdits.of(method, members, count) : null;
            return points == null ? clock : points.andThen(clock);
        });
    }

    private static Function<String, @Nullable InputStream> files(@Nullable ClassLoader loader) {
        return loader == null ? ClassLoader::getSystemResourceAsStream : loader::getResourceAsStream;
    }
}
