package dev.heddle;

import static dev.heddle.Select.orElse;
import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.send;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jetbrains.lincheck.Lincheck;
import org.jspecify.annotations.Nullable;

/// Small programs over channels whose every interleaving must end, and end well. Checked in a JVM of its own by
/// [ChanLincheckTest], with a parker that a model checker understands: a lost wake-up is a hang, which it reports.
final class ChanModel {
    private static final Map<String, Runnable> PROGRAMS = new TreeMap<>(Map.ofEntries(
            Map.entry("handOff", ChanModel::handOff),
            Map.entry("bufferOfOne", ChanModel::bufferOfOne),
            Map.entry("twoSendersOneReceiver", ChanModel::twoSendersOneReceiver),
            Map.entry("closeReleasesAReceiver", ChanModel::closeReleasesAReceiver),
            Map.entry("closeRacesASender", ChanModel::closeRacesASender),
            Map.entry("interruptRacesASender", ChanModel::interruptRacesASender),
            Map.entry("selectsMeet", ChanModel::selectsMeet),
            Map.entry("selectIsMatchedOnce", ChanModel::selectIsMatchedOnce),
            Map.entry("orElseSeesAllChannelsAtOneMoment", ChanModel::orElseSeesAllChannelsAtOneMoment),
            Map.entry("selectsInOppositeOrder", ChanModel::selectsInOppositeOrder),
            Map.entry("waitGroup", ChanModel::waitGroup),
            Map.entry("waitGroupIsUsedAgain", ChanModel::waitGroupIsUsedAgain)));

    private ChanModel() {}

    /// Arguments: the number of interleavings of each program, and the names of programs (all, if there are none).
    public static void main(String[] arguments) {
        int invocations = Integer.parseInt(arguments[0]);
        var names = arguments.length > 1 ? List.of(arguments).subList(1, arguments.length) : PROGRAMS.keySet();
        try {
            for (String name : names) {
                System.out.println("checking " + name);
                Lincheck.runConcurrentTest(invocations, PROGRAMS.get(name));
            }
            System.out.println("all " + names.size() + " programs hold");
            System.exit(0);
        } catch (Throwable e) {
            e.printStackTrace(System.out);
            System.exit(1); // threads of the failed execution may still be waiting
        }
    }

    static void handOff() {
        Chan<Integer> chan = Chan.make();
        var sender = new Running(() -> sendAll(chan, 1, 2));
        check(receiveQuietly(chan), 1);
        check(receiveQuietly(chan), 2);
        sender.join();
    }

    static void bufferOfOne() {
        Chan<Integer> chan = Chan.make(1);
        var sender = new Running(() -> sendAll(chan, 1, 2, 3));
        for (int i = 1; i <= 3; i++) {
            check(receiveQuietly(chan), i);
        }
        sender.join();
    }

    static void twoSendersOneReceiver() {
        Chan<Integer> chan = Chan.make();
        var one = new Running(() -> sendAll(chan, 1));
        var two = new Running(() -> sendAll(chan, 2));
        check(receiveQuietly(chan) + receiveQuietly(chan), 3);
        one.join();
        two.join();
    }

    static void closeReleasesAReceiver() {
        Chan<Integer> chan = Chan.make(1);
        var receiver = new Running(() -> {
            var all = new ArrayList<Integer>();
            for (int value : chan) {
                all.add(value);
            }
            return all;
        });
        sendAll(chan, 7);
        chan.close();
        check(receiver.join(), List.of(7));
    }

    static void closeRacesASender() {
        Chan<Integer> chan = Chan.make();
        var sender = new Running(() -> {
            try {
                chan.send(1);
                return "sent";
            } catch (IllegalStateException _) {
                return "closed";
            }
        });
        var closer = new Running(() -> {
            chan.close();
            return null;
        });
        Integer got = receiveQuietly(chan);
        closer.join();
        check(sender.join(), got == null ? "closed" : "sent");
    }

    static void interruptRacesASender() {
        Chan<Integer> chan = Chan.make();
        var sender = new Running(() -> {
            try {
                chan.send(1);
                return "sent";
            } catch (InterruptedException _) {
                chan.close(); // so that the receiver is not left alone
                return "interrupted";
            }
        });
        sender.interrupt();
        Integer got = receiveQuietly(chan);
        check(sender.join(), got == null ? "interrupted" : "sent");
    }

    static void selectsMeet() {
        Chan<Integer> a = Chan.make();
        Chan<Integer> b = Chan.make();
        var sender = new Running(() -> select(send(a, 1), send(b, 2)).chan == a ? 1 : 2);
        check(selectTwo(a, b), sender.join());
    }

    static void selectIsMatchedOnce() {
        Chan<Integer> a = Chan.make();
        Chan<Integer> b = Chan.make();
        var toA = new Running(() -> sendAll(a, 1));
        var toB = new Running(() -> sendAll(b, 2));
        int first = selectTwo(a, b);
        check(first == 1 ? receiveQuietly(b) : receiveQuietly(a), 3 - first);
        toA.join();
        toB.join();
    }

    /// At every moment one of the channels has a value.
    static void orElseSeesAllChannelsAtOneMoment() {
        Chan<Integer> a = Chan.make(1);
        Chan<Integer> b = Chan.make(1);
        sendAll(a, 1);
        var mover = new Running(() -> {
            sendAll(b, 1);
            return a.tryReceive();
        });
        var nothing = orElse();
        check(selectQuietly(receive(a), receive(b), nothing) != nothing, true);
        mover.join();
    }

    static void selectsInOppositeOrder() {
        Chan<Integer> a = Chan.make(1);
        Chan<Integer> b = Chan.make(1);
        var forwards = new Running(() -> selectTwo(a, b));
        var backwards = new Running(() -> selectTwo(b, a));
        sendAll(a, 1);
        sendAll(b, 2);
        check((Integer) forwards.join() + (Integer) backwards.join(), 3);
    }

    static void waitGroup() {
        var group = new WaitGroup();
        group.add(2);
        var one = new Running(() -> done(group));
        var two = new Running(() -> done(group));
        awaitQuietly(group);
        one.join();
        two.join();
    }

    static void waitGroupIsUsedAgain() {
        var group = new WaitGroup();
        group.add(1);
        var one = new Running(() -> done(group));
        awaitQuietly(group);
        group.add(1);
        var finished = new boolean[1];
        var two = new Running(() -> {
            finished[0] = true;
            return done(group);
        });
        awaitQuietly(group);
        check(finished[0], true);
        one.join();
        two.join();
    }

    private static @Nullable Object done(WaitGroup group) {
        group.done();
        return null;
    }

    private static void awaitQuietly(WaitGroup group) {
        try {
            group.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Object sendAll(Chan<Integer> chan, int... values) {
        try {
            for (int value : values) {
                chan.send(value);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return null;
    }

    private static Integer receiveQuietly(Chan<Integer> chan) {
        try {
            return chan.receive();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Select.Case selectQuietly(Select.Case... cases) {
        try {
            return select(cases);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Integer selectTwo(Chan<Integer> a, Chan<Integer> b) {
        var fromA = receive(a);
        var fromB = receive(b);
        return selectQuietly(fromA, fromB) == fromA ? fromA.value() : fromB.value();
    }

    private static void check(@Nullable Object actual, Object expected) {
        if (!expected.equals(actual)) {
            throw new AssertionError("expected " + expected + ", got " + actual);
        }
    }

    /// A thread, without anything of java.util.concurrent that the checker would have to explore too.
    private static final class Running {
        private final Thread thread;
        private volatile @Nullable Object result;
        private volatile @Nullable Throwable failure;

        Running(Callable<?> body) {
            thread = new Thread(() -> {
                try {
                    result = body.call();
                } catch (Throwable e) {
                    failure = e;
                }
            });
            thread.start();
        }

        void interrupt() {
            thread.interrupt();
        }

        @Nullable
        Object join() {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (failure != null) {
                throw new AssertionError(failure);
            }
            return result;
        }
    }
}
