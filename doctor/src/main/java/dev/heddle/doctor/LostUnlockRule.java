package dev.heddle.doctor;

import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A lock of `java.util.concurrent` that a thread has taken and not released: it returned, failed or ended in between.
///
/// All threads that want the lock make no progress, and no thread is seen between locking and unlocking: neither the
/// owner, if the lock has one, nor any other. A slow owner would be there. And the code locks without unlocking in a
/// `finally` block, or the owner has ended.
final class LostUnlockRule implements Rule {

    /// A single waiter may be the only thread that is left of a program that ends.
    private static final int WAITERS = 2;

    private static final String LOCKS = "java.util.concurrent.locks.";

    private static final Set<String> TYPES =
            Set.of(LOCKS + "ReentrantLock", LOCKS + "ReentrantReadWriteLock", LOCKS + "StampedLock");

    @Override
    public Cause cause() {
        return Cause.LOST_UNLOCK;
    }

    @Override
    public boolean needsWarmth() {
        return false;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        Standing standing = Standing.in(seen);
        Map<String, List<GoroutineSample>> byLock = new HashMap<>();
        standing.threads().values().stream()
                .filter(it -> it.goroutine().blocker() != null && Locks.isLockWait(it.goroutine()))
                .forEach(it -> byLock.computeIfAbsent(it.goroutine().blocker(), _ -> new ArrayList<>())
                        .add(it));
        if (byLock.isEmpty() || !seen.dumps().getLast().complete()) {
            return Optional.empty();
        }
        CodeReader code = new CodeReader(seen.classes());
        if (isUnlockedByLambdas(code)) {
            return Optional.empty(); // what releases a lock need not be in the code that took it
        }
        return byLock.entrySet().stream()
                .filter(it -> it.getValue().size() >= WAITERS)
                .sorted((a, b) ->
                        Integer.compare(b.getValue().size(), a.getValue().size()))
                .flatMap(it -> check(it.getKey(), it.getValue(), seen, code).stream())
                .findFirst();
    }

    private static Optional<Finding> check(
            String lock, List<GoroutineSample> waiters, Observation seen, CodeReader code) {
        Dump last = seen.dumps().getLast();
        String type = typeOf(lock, last);
        Map<Long, GoroutineStats> byId = Locks.byId(last);
        boolean areAll =
                byId.values().stream().filter(it -> lock.equals(it.blocker())).count() == waiters.size();
        if (!TYPES.contains(type) || !areAll) {
            return Optional.empty();
        }
        GoroutineSample waiter = waiters.getFirst();
        long id = ownerOf(lock, waiter.goroutine(), last);
        GoroutineStats owner = byId.get(id);
        List<String> careless = carelessMethods(code);
        boolean hasEnded = id != 0 && owner == null;
        boolean isLost;
        if (hasEnded) {
            isLost = !type.endsWith("ReadWriteLock"); // of which a reader may be another thread than the first
        } else if (careless.isEmpty()) {
            isLost = false;
        } else if (owner != null && !type.endsWith("ReadWriteLock")) {
            isLost = isOutside(GoroutineSample.of(owner), code);
        } else {
            isLost = byId.values().stream()
                    .filter(it -> !lock.equals(it.blocker()))
                    .allMatch(it -> isOutside(GoroutineSample.of(it), code));
        }
        return isLost ? Optional.of(finding(lock, waiters, owner, hasEnded, careless, seen)) : Optional.empty();
    }

    private static Finding finding(
            String lock,
            List<GoroutineSample> waiters,
            @Nullable GoroutineStats owner,
            boolean hasEnded,
            List<String> careless,
            Observation seen) {
        GoroutineSample one = waiters.getFirst();
        List<String> evidence = new ArrayList<>();
        evidence.add("%d threads want %s, and none of them got it in %.1f s or more, for example at %s"
                .formatted(waiters.size(), lock, Standing.leastSeconds(seen), one.place()));
        evidence.add(
                hasEnded
                        ? "the thread that owns the lock is not there any more"
                        : owner == null
                                ? "no thread is seen between locking and unlocking"
                                : "its owner, %s, is at %s now, which is not between locking and unlocking"
                                        .formatted(
                                                DeadlockRule.nameOf(owner),
                                                GoroutineSample.of(owner).place()));
        String where = String.join(", ", careless);
        if (!careless.isEmpty()) {
            evidence.add("these methods lock and do not unlock in a finally block: " + where);
        }
        return new Finding(Cause.LOST_UNLOCK, evidence, 0, List.of())
                .at(one)
                .toDo(Cause.LOST_UNLOCK.remedyForThreads().strip()
                        + (careless.isEmpty() ? "" : " The code to change is in " + where + "."));
    }

    private static String typeOf(String lock, Dump dump) {
        return dump.blockers().stream()
                .filter(it -> it.id().equals(lock))
                .map(Blocker::type)
                .findFirst()
                .orElse(lock.substring(0, Math.max(0, lock.indexOf('@'))));
    }

    private static long ownerOf(String lock, GoroutineStats waiter, Dump dump) {
        return Locks.owners(dump).getOrDefault(lock, waiter.owner());
    }

    /// Whether all code on the stack of the thread is known, and none of it is between locking and unlocking.
    private static boolean isOutside(GoroutineSample thread, CodeReader code) {
        return thread.frames().stream()
                .filter(Frame::isUsers)
                .allMatch(it -> !code.methods(it.className(), it.method(), null).isEmpty()
                        && !new CodePosition(code, it).holds(HeldByCode::locks, HeldByCode::unlocks));
    }

    /// Whether a lambda or a method reference unlocks: it may run anywhere.
    private static boolean isUnlockedByLambdas(CodeReader code) {
        for (ClassModel model : code.classes()) {
            for (MethodModel method : model.methods()) {
                boolean isLambda = method.methodName().stringValue().startsWith("lambda$");
                List<CodeElement> elements = elements(method);
                boolean locks = elements.stream().anyMatch(it -> isCall(it, /* isLocking= */ true));
                boolean unlocks = elements.stream().anyMatch(it -> isCall(it, /* isLocking= */ false));
                if ((isLambda && unlocks && !locks) || elements.stream().anyMatch(LostUnlockRule::refersToUnlock)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean refersToUnlock(CodeElement element) {
        return element instanceof InvokeDynamicInstruction dynamic
                && dynamic.bootstrapArgs().stream()
                        .anyMatch(it -> it instanceof DirectMethodHandleDesc handle
                                && HeldByCode.unlocks(new Use(Call.of(handle), null)));
    }

    /// The methods that lock, and have no exception handler that unlocks.
    private static List<String> carelessMethods(CodeReader code) {
        List<String> careless = new ArrayList<>();
        for (ClassModel model : code.classes()) {
            for (MethodModel method : model.methods()) {
                if (elements(method).stream().anyMatch(it -> isCall(it, /* isLocking= */ true))
                        && !unlocksInHandler(method)) {
                    careless.add(model.thisClass().asInternalName().replace('/', '.') + "."
                            + method.methodName().stringValue());
                }
            }
        }
        return careless;
    }

    private static boolean unlocksInHandler(MethodModel method) {
        List<CodeElement> elements = elements(method);
        List<ExceptionCatch> handlers =
                method.code().map(CodeModel::exceptionHandlers).orElse(List.of());
        return handlers.stream().anyMatch(it -> unlocks(elements, it.handler()));
    }

    /// Whether the handler unlocks before it throws the exception on.
    private static boolean unlocks(List<CodeElement> elements, Label handler) {
        boolean isInside = false;
        for (CodeElement element : elements) {
            isInside |= element instanceof LabelTarget target && target.label().equals(handler);
            if (isInside && isCall(element, /* isLocking= */ false)) {
                return true;
            }
            if (isInside && element instanceof ThrowInstruction) {
                return false;
            }
        }
        return false;
    }

    private static boolean isCall(CodeElement element, boolean isLocking) {
        if (!(element instanceof InvokeInstruction invoke)) {
            return false;
        }
        Use use = new Use(Call.of(invoke), null);
        return isLocking ? HeldByCode.locks(use) : HeldByCode.unlocks(use);
    }

    private static List<CodeElement> elements(MethodModel method) {
        return method.code().map(CodeModel::elementList).orElse(List.of());
    }
}
