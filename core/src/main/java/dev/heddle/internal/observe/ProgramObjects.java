package dev.heddle.internal.observe;

import dev.heddle.internal.jdk.Jdk;
import dev.heddle.internal.jdk.JdkThreads;
import dev.heddle.internal.jdk.LoadedClasses;
import dev.heddle.internal.jdk.ObjectFields;
import dev.heddle.internal.kernel.Goroutine;
import dev.heddle.internal.kernel.Inspector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the queues and thread-locals of the program: from the tasks of its threads and the static fields of
/// the classes on their stacks and of the classes that these refer to, along a few references.
///
/// Local variables are not visible. But a queue has at least two users, so a task or a field refers to it.
final class ProgramObjects {
    /*
     * Bounds.  A search looks at no more than VISITS objects, DEPTH references deep: some milliseconds, once in a
     *          window. Of tasks of one class it looks at TASKS, since a thousand requests use the same queues. It
     *          follows objects of the program and those of java.util.concurrent that wrap a task (futures, workers,
     *          executors), but not the nodes of collections.
     */
    private static final int VISITS = 2_000;
    private static final int DEPTH = 5;
    private static final int TASKS = 4;
    private static final int ELEMENTS = 16;
    private static final int QUEUES = 100;

    private record Step(Object object, String holder, int depth) {}

    private final Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Queue<Step> steps = new ArrayDeque<>();
    private final Map<Class<?>, Integer> tasks = new HashMap<>();
    private final Map<Object, String> queues = new IdentityHashMap<>();
    private final Map<Object, String> threadLocals = new IdentityHashMap<>();

    private ProgramObjects() {}

    /// @param threads virtual threads of the program
    /// @param frames  frames of their stacks, as stack traces print them
    static ProgramObjects search(Collection<Thread> threads, Collection<String> frames) {
        var found = new ProgramObjects();
        Set<ClassLoader> loaders = new HashSet<>();
        loaders.add(ClassLoader.getSystemClassLoader());
        Set<String> classes = new HashSet<>();
        for (Thread thread : threads) {
            Goroutine goroutine = Inspector.goroutineOf(thread);
            found.addTask(goroutine == null ? Jdk.taskOf(thread) : goroutine.body(), "", classes);
            ClassLoader loader = thread.getContextClassLoader();
            if (loader != null) {
                loaders.add(loader);
            }
        }
        for (Thread thread : JdkThreads.all()) {
            found.addTask(Jdk.platformTaskOf(thread), thread.getName(), classes);
        }
        frames.forEach(it -> classes.add(ProgramClasses.classOf(it)));
        classes.addAll(ProgramClasses.of(frames).keySet()); // a buffer is often in a class that is on no stack now
        for (String name : classes) {
            if (ProgramClasses.isPrograms(name)) {
                loaders.forEach(it -> found.addStatics(LoadedClasses.find(it, name)));
            }
        }
        found.follow();
        return found;
    }

    /// The queues, each with the place that refers to it.
    Map<Object, String> queues() {
        return queues;
    }

    /// The thread-locals, each with the place that refers to it.
    Map<Object, String> threadLocals() {
        return threadLocals;
    }

    /// @param thread the name of its thread, which says more than the class of a worker of a pool
    private void addTask(@Nullable Object task, String thread, Set<String> classes) {
        if (task != null && tasks.merge(task.getClass(), 1, Integer::sum) <= TASKS) {
            String name = classOf(task.getClass());
            classes.add(name);
            add(task, ProgramClasses.isPrograms(name) ? "a task of " + name : "the pool of thread " + thread, 0);
        }
    }

    private void addStatics(@Nullable Class<?> type) {
        if (type != null) {
            for (ObjectFields.Reference field : ObjectFields.staticReferencesOf(type)) {
                add(field.value(), nameOf(field), 1);
            }
        }
    }

    private void follow() {
        for (Step step = steps.poll(); step != null; step = steps.poll()) {
            if (step.depth() < DEPTH) {
                if (step.object() instanceof Object[] array) {
                    for (int i = 0; i < Math.min(ELEMENTS, array.length); i++) {
                        if (array[i] != null) {
                            add(array[i], step.holder(), step.depth() + 1);
                        }
                    }
                } else {
                    for (ObjectFields.Reference field : ObjectFields.referencesOf(step.object())) {
                        add(field.value(), isNamed(field) ? nameOf(field) : step.holder(), step.depth() + 1);
                    }
                }
            }
        }
    }

    private void add(Object object, String holder, int depth) {
        if (visited.size() >= VISITS || !isWorthALook(object) || !visited.add(object)) {
            return;
        }
        if (object instanceof ThreadLocal<?>) {
            threadLocals.put(object, holder);
        } else if (QueueSizes.isKnown(object)) {
            if (queues.size() < QUEUES) {
                queues.put(object, holder);
            }
        } else {
            steps.add(new Step(object, holder, depth));
        }
    }

    private static boolean isWorthALook(Object object) {
        String name = object.getClass().getName();
        if (object instanceof Object[]) {
            return true;
        }
        if (name.startsWith("java.util.concurrent.")) {
            return !name.startsWith("java.util.concurrent.locks.") && !name.startsWith("java.util.concurrent.atomic.");
        }
        return object instanceof ThreadLocal<?>
                || object instanceof Queue<?>
                || object instanceof ArrayList<?>
                || ProgramClasses.isPrograms(name);
    }

    /// Whether the name of the field says something: not that of a captured variable or an outer object, and
    /// not that of a field of the JDK.
    private static boolean isNamed(ObjectFields.Reference field) {
        return ProgramClasses.isPrograms(field.owner().getName())
                && !field.owner().isHidden()
                && field.name().indexOf('$') < 0;
    }

    private static String nameOf(ObjectFields.Reference field) {
        return classOf(field.owner()) + "." + field.name();
    }

    /// The name of a class; of a lambda, that of the class it is written in.
    private static String classOf(Class<?> type) {
        String name = type.getName();
        int lambda = name.indexOf("$$Lambda");
        return lambda < 0 ? name : name.substring(0, lambda);
    }
}
