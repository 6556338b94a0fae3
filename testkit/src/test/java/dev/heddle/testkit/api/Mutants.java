package dev.heddle.testkit.api;

import java.util.List;

/// Ways to break Heddle's API: each is a mistake that a change of the code could make.
public final class Mutants {

    private Mutants() {}

    public static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "Chan: a receiver queues itself after the lock was free",
                        "Chan",
                        "receivers.enqueue(waiter);\n                }\n            } finally {\n                unlock();\n            }\n            Waiter.wakeAll(due);",
                        "unlock();\n lock();\n receivers.enqueue(waiter);\n                }\n            } finally {\n                unlock();\n            }\n            Waiter.wakeAll(due);",
                        ApiProgram.CHAN),
                new Mutant(
                        "Chan: a send does not wake the receiver",
                        "Chan",
                        "Parking.unpark(receiver.thread);",
                        "",
                        ApiProgram.CHAN),
                new Mutant(
                        "Chan: a receive does not wake the sender",
                        "Chan",
                        "Parking.unpark(sender.thread);",
                        "",
                        ApiProgram.CHAN),
                new Mutant(
                        "Chan: close forgets the receivers",
                        "Chan",
                        "senders.closeAll(receivers.closeAll(null))",
                        "senders.closeAll(null)",
                        ApiProgram.CLOSE),
                new Mutant(
                        "Select: fires twice",
                        "Waiter",
                        "return FATE.compareAndSet(group, null, this);",
                        "FATE.set(group, this); return true;",
                        ApiProgram.SELECT),
                new Mutant(
                        "Select: does not wait for its first case",
                        "SelectPasses",
                        "for (int i = 0; i < waiters.length; i++) {\n                    cases[i].queue()",
                        "for (int i = 1; i < waiters.length; i++) {\n                    cases[i].queue()",
                        ApiProgram.SELECT),
                new Mutant(
                        "WaitGroup: does not look again after it has queued itself",
                        "WaitGroup",
                        "while (!isZero()) {\n            if (node.thread == null) {",
                        "while (node.thread != null || !isZero()) {\n            if (node.thread == null) {",
                        ApiProgram.WAIT_GROUP),
                new Mutant(
                        "WaitGroup: the last member wakes no waiter",
                        "WaitGroup",
                        "wakeAll(now);\n        }",
                        "}",
                        ApiProgram.WAIT_GROUP),
                new Mutant(
                        "Once: does not check again under the lock",
                        "Once",
                        "if (!done) {\n                try {",
                        "if (body != null) {\n                try {",
                        ApiProgram.ONCE),
                new Mutant(
                        "Once: is done before its body has run",
                        "Once",
                        "if (!done) {\n                try {",
                        "if (!done) {\n                done = true; try {",
                        ApiProgram.ONCE),
                new Mutant(
                        "Context: a cancel misses a child that joins late",
                        "Cancellable",
                        "child.parentIsDone(new Cancellation(Objects.requireNonNull(err), Objects.requireNonNull(cause)));",
                        "",
                        ApiProgram.CONTEXT),
                new Mutant(
                        "Context: a child joins after a check outside of the lock",
                        "Cancellable",
                        "void add(Child child) {\n        lock.lock();\n        try {\n            if (err == null) {",
                        "void add(Child child) {\n        boolean open = err == null;\n        lock.lock();\n        try {\n            if (open) {",
                        ApiProgram.CONTEXT),
                new Mutant(
                        "Context: two waiters get two channels",
                        "Cancellable",
                        "chan = done;\n            if (chan == null) {",
                        "chan = done;\n            if (chan != CLOSED) {",
                        ApiProgram.CONTEXT),
                new Mutant(
                        "ErrGroup: the last failure wins",
                        "ErrGroup",
                        "failure.compareAndSet(null, e)",
                        "failure.getAndSet(e) != e",
                        ApiProgram.ERR_GROUP));
    }
}
