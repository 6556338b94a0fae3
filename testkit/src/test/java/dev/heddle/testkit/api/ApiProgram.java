package dev.heddle.testkit.api;

import dev.heddle.Cancellable;
import dev.heddle.Chan;
import dev.heddle.Context;
import dev.heddle.ErrGroup;
import dev.heddle.Go;
import dev.heddle.Once;
import dev.heddle.Select;
import dev.heddle.Timer;
import dev.heddle.WaitGroup;
import dev.heddle.testkit.Bubble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/// Programs that hold on a correct API, whatever the schedule. They are loaded a second time, with a mutant of the API.
public enum ApiProgram implements Bubble.Body {
    CHAN {
        @Override
        public void run(Bubble bubble) throws Throwable {
            valuesArrive(0);
            valuesArrive(1);
        }
    },
    CLOSE {
        @Override
        public void run(Bubble bubble) throws Throwable {
            Chan<Integer> chan = Chan.make();
            WaitGroup receivers = new WaitGroup();
            for (int i = 0; i < 2; i++) {
                receivers.go(() -> require(chan.receive() == null, "a closed channel has no value"));
            }
            Go.go(chan::close);
            receivers.await();
        }
    },
    SELECT {
        @Override
        public void run(Bubble bubble) throws Throwable {
            Chan<Integer> a = Chan.make();
            Chan<Integer> b = Chan.make();
            WaitGroup senders = new WaitGroup();
            senders.go(() -> a.send(1));
            senders.go(() -> b.send(2));
            Set<Integer> seen = new HashSet<>();
            for (int i = 0; i < 2; i++) {
                Select.select(Select.receive(a, seen::add), Select.receive(b, seen::add));
            }
            senders.await();
            require(seen.equals(Set.of(1, 2)), "received " + seen);
        }
    },
    WAIT_GROUP {
        @Override
        public void run(Bubble bubble) throws Throwable {
            WaitGroup group = new WaitGroup();
            AtomicInteger done = new AtomicInteger();
            group.go(done::incrementAndGet);
            group.go(done::incrementAndGet);
            Thread other = Thread.startVirtualThread(() -> awaitAll(group, done));
            awaitAll(group, done);
            other.join();
        }
    },
    ONCE {
        @Override
        public void run(Bubble bubble) throws Throwable {
            Once once = new Once();
            AtomicInteger runs = new AtomicInteger();
            WaitGroup callers = new WaitGroup();
            for (int i = 0; i < 2; i++) {
                callers.go(() -> {
                    once.run(() -> {
                        Thread.yield();
                        runs.incrementAndGet();
                    });
                    require(runs.get() == 1, "ran " + runs + " times when the call returned");
                });
            }
            callers.await();
        }
    },
    CONTEXT {
        @Override
        public void run(Bubble bubble) throws Throwable {
            try (Cancellable parent = Context.background().withCancel()) {
                Go.go(parent::cancel);
                try (Cancellable child = parent.withCancel()) {
                    WaitGroup waiters = new WaitGroup();
                    waiters.go(() -> child.done().receive());
                    waiters.go(() -> child.done().receive());
                    waiters.await();
                    require(child.err() != null, "done, and has no error");
                }
            }
        }
    },
    DEADLINE {
        @Override
        public void run(Bubble bubble) throws Throwable {
            try (Cancellable context = Context.background().withTimeout(Duration.ofHours(1))) {
                Select.Case late = Select.receive(Timer.after(Duration.ofHours(2)));
                Select.Case done = Select.receive(context.done());
                require(Select.select(late, done) == done, "the deadline comes first");
                require(context.err() instanceof java.util.concurrent.TimeoutException, "" + context.err());
            }
        }
    },
    ERR_GROUP {
        @Override
        public void run(Bubble bubble) throws Throwable {
            ErrGroup group = ErrGroup.withContext(Context.background());
            for (int i = 0; i < 2; i++) {
                int id = i;
                group.go(() -> {
                    Thread.yield();
                    throw new IllegalStateException("member " + id);
                });
            }
            try {
                group.await();
                throw new AssertionError("the failure is lost");
            } catch (ExecutionException e) {
                require(e.getCause() == group.context().cause(), "the group and its context have different causes");
            }
        }
    };

    private static void valuesArrive(int buffer) throws InterruptedException {
        Chan<Integer> chan = Chan.make(buffer);
        WaitGroup senders = new WaitGroup();
        senders.go(() -> chan.send(1));
        senders.go(() -> chan.send(2));
        List<Integer> seen = new ArrayList<>();
        seen.add(chan.receive());
        seen.add(chan.receive());
        senders.await();
        require(new HashSet<>(seen).equals(Set.of(1, 2)), "received " + seen);
    }

    private static void awaitAll(WaitGroup group, AtomicInteger done) {
        try {
            group.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        require(done.get() == 2, "returned after " + done + " of 2");
    }

    static void require(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
