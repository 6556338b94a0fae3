package dev.heddle.internal.jdk;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/// What only a virtual thread can show: the classes of its resume task and of the wrapper around its task, which have
/// no names.
///
/// Apart from [Jdk], because making a virtual thread may compile code that keeps the JVM's default scheduler for ever:
/// [DefaultScheduler] replaces it before this class is initialised.
final class ResumeTasks {

    /// The hidden class of `this::runContinuation`: one for all virtual threads; and the thread inside it.
    static final Class<?> RESUME_CLASS;

    static final long RESUME_THREAD;

    /// The anonymous Runnable that VirtualThread wraps around a thread's task; and the task inside it.
    static final Class<?> WRAPPER_CLASS;

    static final long WRAPPED_TASK;

    static {
        Unsafe unsafe = Jdk.U;
        Thread probe = newThread();
        Object resumeTask = unsafe.getReference(probe, Jdk.RESUME_TASK);
        RESUME_CLASS = resumeTask.getClass();
        RESUME_THREAD = offsetOfType(RESUME_CLASS, Jdk.VIRTUAL_THREAD);
        Object wrapper = unsafe.getReference(unsafe.getReference(probe, Jdk.CONTINUATION), Jdk.TARGET);
        WRAPPER_CLASS = wrapper.getClass();
        WRAPPED_TASK = offsetOfType(WRAPPER_CLASS, Runnable.class);
    }

    private ResumeTasks() {}

    private static final class Nothing implements Runnable {
        @Override
        public void run() {
            // never started
        }
    }

    static long offsetOfType(Class<?> holder, Class<?> type) {
        for (Field field : holder.getDeclaredFields()) {
            if (field.getType() == type) {
                return Jdk.U.objectFieldOffset(field);
            }
        }
        throw Jdk.unexpected("the " + type.getName() + " inside " + holder.getName(), null);
    }

    /// Makes an unstarted virtual thread in the ordinary way.
    static Thread newThread() {
        return Thread.ofVirtual().unstarted(new Nothing());
    }
}
