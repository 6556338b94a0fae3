package dev.heddle.internal.queue;

import dev.heddle.ArchitectureTest;
import jdk.internal.misc.Unsafe;

/// A class in the wrong company, for [ArchitectureTest]: a queue that knows the API and an internal class of the JDK.
public final class ForbiddenDependencies {
    private ForbiddenDependencies() {}

    static Object outsideTheQueuePackage() {
        return new ArchitectureTest();
    }

    static Object jdkInternal() {
        return Unsafe.getUnsafe();
    }
}
