package dev.heddle.testkit.internal.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is changed in the JDK's own classes, beside reads of the clock: a table of methods, and what each asks the
/// hooks.
///
/// Outside of a bubble every hook answers as the JDK would.
final class JdkEdits {

    private static final ClassDesc POOL = ClassDesc.of("java.util.concurrent.ForkJoinPool");
    private static final String POOL_TO_POOL =
            "(Ljava/util/concurrent/ForkJoinPool;)Ljava/util/concurrent/ForkJoinPool;";

    /// The classes whose reads of the clock matter to a program, with their nested ones. Not java.util.Timer:
    /// its thread is outside of every bubble, and so must its deadlines be.
    private static final Set<String> WITH_CLOCK = Set.of(
            "java/lang/Thread",
            "java/lang/VirtualThread",
            "java/lang/Process",
            "java/lang/ref/ReferenceQueue",
            "java/time/Clock",
            "java/util/Date",
            "java/util/GregorianCalendar",
            "java/util/Random",
            "java/util/concurrent/AbstractExecutorService",
            "java/util/concurrent/CompletableFuture",
            "java/util/concurrent/DelayScheduler",
            "java/util/concurrent/Exchanger",
            "java/util/concurrent/ForkJoinPool",
            "java/util/concurrent/ForkJoinTask",
            "java/util/concurrent/FutureTask",
            "java/util/concurrent/LinkedTransferQueue",
            "java/util/concurrent/Phaser",
            "java/util/concurrent/ScheduledThreadPoolExecutor",
            "java/util/concurrent/SubmissionPublisher",
            "java/util/concurrent/ThreadPerTaskExecutor",
            "java/util/concurrent/locks/AbstractQueuedLongSynchronizer",
            "java/util/concurrent/locks/AbstractQueuedSynchronizer",
            "java/util/concurrent/locks/LockSupport",
            "java/util/concurrent/locks/StampedLock",
            "sun/nio/ch/DatagramChannelImpl",
            "sun/nio/ch/NioSocketImpl",
            "sun/nio/ch/ServerSocketChannelImpl",
            "sun/nio/ch/SocketChannelImpl",
            "sun/util/locale/provider/CalendarProviderImpl");

    /// The classes that are changed in other ways.
    private static final Set<String> OTHERS = Set.of(
            "java/lang/Math",
            "java/lang/Object",
            "java/lang/ProcessBuilder",
            "java/util/Collections",
            "java/util/SplittableRandom",
            "java/util/UUID",
            "java/util/concurrent/ExecutorService",
            "java/util/concurrent/Executors$DefaultThreadFactory",
            "java/util/concurrent/ThreadLocalRandom",
            "sun/nio/ch/Net",
            "sun/nio/ch/Poller",
            "sun/nio/ch/UnixDomainSockets");

    private JdkEdits() {}

    /// Whether a class of the JDK is changed at all.
    static boolean concerns(String internalName) {
        int nested = internalName.indexOf('$');
        return OTHERS.contains(internalName)
                || WITH_CLOCK.contains(nested < 0 ? internalName : internalName.substring(0, nested));
    }

    static @Nullable CodeTransform of(MethodModel method, ClassEdits.Count count) {
        String owner = method.parent().orElseThrow().thisClass().asInternalName();
        CodeTransform special = special(owner, method, count);
        CodeTransform clock = OTHERS.contains(owner) ? null : new ClockEdits(count, /* alsoSpinWait= */ false);
        if (special == null || clock == null) {
            return special == null ? clock : special;
        }
        return special.andThen(clock);
    }

    private static @Nullable CodeTransform special(String owner, MethodModel method, ClassEdits.Count count) {
        String name = method.methodName().stringValue();
        return switch (owner) {
            case "java/lang/Thread" ->
                switch (name) {
                    case "start" ->
                        first(
                                count,
                                code -> code.aload(0)
                                        .invokestatic(HookGate.NAME, "platformStart", type("(Ljava/lang/Thread;)V")));
                    case "dispatchUncaughtException" ->
                        first(count, code -> {
                            Label real = code.newLabel();
                            code.aload(0)
                                    .aload(1)
                                    .invokestatic(
                                            HookGate.NAME,
                                            "uncaught",
                                            type("(Ljava/lang/Thread;Ljava/lang/Throwable;)Z"))
                                    .ifeq(real)
                                    .return_()
                                    .labelBinding(real);
                        });
                    default -> null;
                };
            case "java/lang/VirtualThread" -> ofVirtualThread(name, count);
            case "java/lang/Math" -> name.equals("random") ? insteadOfRandom(count) : null;
            case "java/lang/Object" -> // wait() and wait(long, int) call this
                name.equals("wait") && method.methodType().equalsString("(J)V")
                        ? first(count, code -> {
                            Label real = code.newLabel();
                            code.aload(0)
                                    .lload(1)
                                    .invokestatic(HookGate.NAME, "waits", type("(Ljava/lang/Object;J)Z"))
                                    .ifeq(real)
                                    .return_()
                                    .labelBinding(real);
                        })
                        : null;
            case "java/lang/ProcessBuilder" -> name.equals("start") && isPrivate(method) ? aroundProcess(count) : null;
            case "java/util/Collections" ->
                name.equals("shuffle") && method.methodType().equalsString("(Ljava/util/List;)V")
                        ? insteadOfShuffle(count)
                        : null;
            case "java/util/Random", "java/util/SplittableRandom" ->
                name.equals(ConstantDescs.INIT_NAME) && method.methodType().equalsString("()V")
                        ? afterCall(count, List.of("seedUniquifier", "getAndAdd"), "randomSeed", "(J)J")
                        : null;
            case "java/util/UUID" -> name.equals("randomUUID") ? insteadOfUuid(count) : null;
            case "java/util/concurrent/ForkJoinPool" -> ofPool(name, count);
            case "java/util/concurrent/ForkJoinTask" -> name.equals("fork") ? insteadOfFork(count) : null;
            case "java/util/concurrent/locks/LockSupport" ->
                name.equals("unpark")
                        ? first(
                                count,
                                code -> code.aload(0)
                                        .invokestatic(HookGate.NAME, "unparks", type("(Ljava/lang/Thread;)V")))
                        : null;
            case "java/util/concurrent/SubmissionPublisher" ->
                afterCall(count, List.of("asyncCommonPool"), "pool", POOL_TO_POOL);
            case "java/util/concurrent/ExecutorService" -> name.equals("close") ? insteadOfOneDay(count) : null;
            case "java/util/concurrent/ThreadPerTaskExecutor" ->
                name.equals("awaitTermination") && method.methodType().equalsString("()V")
                        ? insteadOfOneDay(count)
                        : null;
            case "java/util/concurrent/ThreadLocalRandom" ->
                insteadOfCall(count, "threadId", "threadIdForRandom", "(Ljava/lang/Thread;)J");
            case "java/util/concurrent/Executors$DefaultThreadFactory" ->
                name.equals("newThread") ? insteadOfPlatformThread(count) : null;
            case "sun/nio/ch/Net", "sun/nio/ch/UnixDomainSockets" ->
                name.equals("socket") || name.equals("serverSocket")
                        ? first(count, code -> code.invokestatic(HookGate.NAME, "socketOpened", type("()V")))
                        : null;
            case "sun/nio/ch/Poller" -> name.equals("poll") ? insteadOfSocketPark(count) : null;
            default -> owner.startsWith("java/util/concurrent/CompletableFuture") ? afterAsyncPool(count) : null;
        };
    }

    private static @Nullable CodeTransform ofVirtualThread(String method, ClassEdits.Count count) {
        return switch (method) {
            case "compareAndSetOnWaitingList" ->
                first(count, code -> code.invokestatic(HookGate.NAME, "takenInHand", type("()V")));
            case "unblock" -> beforeReturn(count, code -> code.invokestatic(HookGate.NAME, "outOfHand", type("()V")));
            case "parkOnCarrierThread" ->
                first(count, code -> {
                    Label real = code.newLabel();
                    code.iload(1)
                            .lload(2)
                            .invokestatic(HookGate.NAME, "pinned", type("(ZJ)Z"))
                            .ifeq(real)
                            .return_()
                            .labelBinding(real);
                });
            case "hashCode" -> insteadOfCall(count, "threadId", "threadIdForHash", "(Ljava/lang/Thread;)J");
            default -> null;
        };
    }

    private static @Nullable CodeTransform ofPool(String method, ClassEdits.Count count) {
        return switch (method) {
            case "commonPool" ->
                beforeReturn(count, code -> code.invokestatic(HookGate.NAME, "pool", type(POOL_TO_POOL)));
            case "scheduleDelayedTask" ->
                first(count, code -> {
                    Label real = code.newLabel();
                    code.aload(0)
                            .aload(1)
                            .invokestatic(
                                    HookGate.NAME,
                                    "scheduleDelayed",
                                    type("(Ljava/util/concurrent/ForkJoinPool;Ljava/lang/Object;)Z"))
                            .ifeq(real)
                            .aload(1)
                            .areturn()
                            .labelBinding(real);
                });
            default -> beforeUnparkOfWorker(count);
        };
    }

    private static CodeTransform beforeUnparkOfWorker(ClassEdits.Count count) {
        return (code, element) -> {
            if (element instanceof InvokeInstruction call && call.name().equalsString("unpark")) {
                count.edits++;
                code.dup().invokestatic(HookGate.NAME, "unparks", type("(Ljava/lang/Thread;)V"));
            }
            code.with(element);
        };
    }

    // ---- instead of what a method does

    private static CodeTransform insteadOfRandom(ClassEdits.Count count) {
        return first(count, code -> {
            Label real = code.newLabel();
            code.invokestatic(HookGate.NAME, "random", type("()Ljava/util/Random;"))
                    .dup()
                    .ifnull(real)
                    .invokevirtual(ClassDesc.of("java.util.Random"), "nextDouble", type("()D"))
                    .dreturn()
                    .labelBinding(real)
                    .pop();
        });
    }

    private static CodeTransform insteadOfShuffle(ClassEdits.Count count) {
        ClassDesc collections = ClassDesc.of("java.util.Collections");
        return first(count, code -> {
            Label real = code.newLabel();
            code.aload(0)
                    .invokestatic(HookGate.NAME, "random", type("()Ljava/util/Random;"))
                    .dup()
                    .ifnull(real)
                    .invokestatic(collections, "shuffle", type("(Ljava/util/List;Ljava/util/Random;)V"))
                    .return_()
                    .labelBinding(real)
                    .pop2();
        });
    }

    private static CodeTransform insteadOfUuid(ClassEdits.Count count) {
        return first(count, code -> orNull(code, "uuid", "()Ljava/util/UUID;"));
    }

    private static CodeTransform insteadOfPlatformThread(ClassEdits.Count count) {
        ClassDesc factory = ClassDesc.ofInternalName("java/util/concurrent/Executors$DefaultThreadFactory");
        ClassDesc counter = ClassDesc.of("java.util.concurrent.atomic.AtomicInteger");
        return first(count, code -> {
            code.aload(1)
                    .aload(0)
                    .getfield(factory, "namePrefix", ConstantDescs.CD_String)
                    .aload(0)
                    .getfield(factory, "threadNumber", counter);
            orNull(
                    code,
                    "pooledThread",
                    "(Ljava/lang/Runnable;Ljava/lang/String;Ljava/util/concurrent/atomic/AtomicInteger;)Ljava/lang/Thread;");
        });
    }

    /// A parallel stream forks tasks of the common pool. Forking means that the task may run at once: here it
    /// does.
    private static CodeTransform insteadOfFork(ClassEdits.Count count) {
        ClassDesc task = ClassDesc.of("java.util.concurrent.ForkJoinTask");
        return first(count, code -> {
            Label real = code.newLabel();
            code.invokestatic(HookGate.NAME, "isForkInline", type("()Z"))
                    .ifeq(real)
                    .aload(0)
                    .invokevirtual(task, "doExec", type("()V"))
                    .aload(0)
                    .areturn()
                    .labelBinding(real);
        });
    }

    /// Closing an executor waits for a day, again and again. In a deadlock the clock would run for ever.
    private static CodeTransform insteadOfOneDay(ClassEdits.Count count) {
        return (code, element) -> {
            if (element instanceof ConstantInstruction constant
                    && Long.valueOf(1).equals(constant.constantValue())) {
                count.edits++;
                code.invokestatic(HookGate.NAME, "daysUntilClosed", type("()J"));
            } else {
                code.with(element);
            }
        };
    }

    private static CodeTransform insteadOfSocketPark(ClassEdits.Count count) {
        return (code, element) -> {
            if (element instanceof InvokeInstruction call
                    && call.owner().asInternalName().equals("java/util/concurrent/locks/LockSupport")) {
                count.edits++;
                boolean timed = call.name().equalsString("parkNanos");
                code.invokestatic(
                        HookGate.NAME, timed ? "socketParkNanos" : "socketPark", type(timed ? "(J)V" : "()V"));
            } else {
                code.with(element);
            }
        };
    }

    private static CodeTransform aroundProcess(ClassEdits.Count count) {
        CodeTransform before = first(count, code -> code.invokestatic(HookGate.NAME, "processStarting", type("()V")));
        return before.andThen(beforeReturn(
                count,
                code -> code.dup().invokestatic(HookGate.NAME, "processStarted", type("(Ljava/lang/Process;)V"))));
    }

    private static CodeTransform afterAsyncPool(ClassEdits.Count count) {
        return (code, element) -> {
            code.with(element);
            if (element instanceof FieldInstruction field
                    && field.opcode() == Opcode.GETSTATIC
                    && field.name().equalsString("ASYNC_POOL")
                    && field.typeSymbol().equals(POOL)) {
                count.edits++;
                code.invokestatic(HookGate.NAME, "pool", type(POOL_TO_POOL));
            }
        };
    }

    // ---- shapes

    private interface Emit {
        void into(CodeBuilder code);
    }

    private static CodeTransform first(ClassEdits.Count count, Emit emit) {
        return new CodeTransform() {
            @Override
            public void atStart(CodeBuilder code) {
                count.edits++;
                emit.into(code);
            }

            @Override
            public void accept(CodeBuilder code, CodeElement element) {
                code.with(element);
            }
        };
    }

    private static CodeTransform beforeReturn(ClassEdits.Count count, Emit emit) {
        return (code, element) -> {
            if (element instanceof ReturnInstruction) {
                count.edits++;
                emit.into(code);
            }
            code.with(element);
        };
    }

    private static CodeTransform afterCall(ClassEdits.Count count, List<String> called, String hook, String signature) {
        return (code, element) -> {
            code.with(element);
            if (element instanceof InvokeInstruction call
                    && called.contains(call.name().stringValue())) {
                count.edits++;
                code.invokestatic(HookGate.NAME, hook, type(signature));
            }
        };
    }

    private static CodeTransform insteadOfCall(ClassEdits.Count count, String called, String hook, String signature) {
        return (code, element) -> {
            if (element instanceof InvokeInstruction call && call.name().equalsString(called)) {
                count.edits++;
                code.invokestatic(HookGate.NAME, hook, type(signature));
            } else {
                code.with(element);
            }
        };
    }

    /// Returns what the hook gives, unless that is null.
    private static void orNull(CodeBuilder code, String hook, String signature) {
        Label real = code.newLabel();
        code.invokestatic(HookGate.NAME, hook, type(signature))
                .dup()
                .ifnull(real)
                .areturn()
                .labelBinding(real)
                .pop();
    }

    private static boolean isPrivate(MethodModel method) {
        return (method.flags().flagsMask() & java.lang.classfile.ClassFile.ACC_PRIVATE) != 0;
    }

    private static MethodTypeDesc type(String descriptor) {
        return MethodTypeDesc.ofDescriptor(descriptor);
    }
}
