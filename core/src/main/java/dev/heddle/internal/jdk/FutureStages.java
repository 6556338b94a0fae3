package dev.heddle.internal.jdk;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Reads the stages of `CompletableFuture`: what a task that a future has submitted runs, and how many stages are
/// behind it. Takes no lock and calls no code of the program.
public final class FutureStages {

    /// Linked on first use, as in [ThreadSnapshotter].
    private static final class Types {
        static final Class<?> STAGE = Jdk.classNamed("java.util.concurrent.CompletableFuture$UniCompletion");
    }

    private FutureStages() {}

    /// The stage that this task runs, itself or within a wrapper of an executor; null if it is none.
    public static @Nullable Object stageOf(@Nullable Object task) {
        if (task == null || Types.STAGE.isInstance(task)) {
            return task;
        }
        return task.getClass().getName().startsWith("java.util.concurrent.")
                ? ObjectFields.referencesOf(task).stream()
                        .map(ObjectFields.Reference::value)
                        .filter(Types.STAGE::isInstance)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    /// The code of the program that the stage runs; null if it has run.
    public static @Nullable Object actionOf(Object stage) {
        return ObjectFields.referencesOf(stage).stream()
                .filter(it -> it.name().equals("fn"))
                .map(ObjectFields.Reference::value)
                .findFirst()
                .orElse(null);
    }

    /// How many stages wait behind this one, each behind the one before; at most `limit`. Of several stages
    /// behind the same future one is followed.
    public static int stagesBehind(Object first, int limit) {
        int stages = 0;
        Object stage = first;
        while (stage != null && Types.STAGE.isInstance(stage) && stages < limit) {
            Object future = ObjectFields.referenceOf(stage, Types.STAGE, "dep");
            stage = future == null ? null : ObjectFields.referenceOf(future, CompletableFuture.class, "stack");
            stages += stage == null ? 0 : 1;
        }
        return stages;
    }
}
