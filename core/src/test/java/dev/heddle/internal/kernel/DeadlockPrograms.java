package dev.heddle.internal.kernel;

import dev.heddle.Cancellable;
import dev.heddle.Chan;
import dev.heddle.Context;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.Timer;
import dev.heddle.internal.jdk.Jdk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/// Programs of [DeadlockTest]: the first argument says which. Those that are not dead print a line when they end.
final class DeadlockPrograms {

    private static final long A_WHILE_MILLIS = 700;

    private DeadlockPrograms() {}

    static void main(String[] arguments) throws Throwable {
        if (arguments.length > 1) {
            new Watcher(arguments[1]).start();
        }
        Go.main(program(arguments[0]));
        System.out.println("main returned");
    }

    /// Waits until the detector has had every chance to find a deadlock, and then says so or raises a signal.
    /// It is a thread of the kernel, so that the detector does not count on it.
    private static final class Watcher extends Thread implements KernelThread {

        private final String action;

        Watcher(String action) {
            this.action = action;
            setDaemon(true);
        }

        @Override
        public void run() {
            Kernel kernel = kernel();
            // More than the two checks that find a deadlock, as far apart, all of them while every goroutine sleeps.
            for (int rounds = 0; rounds < 6; rounds++) {
                long seen = kernel.counters.submissions();
                for (long before = kernel.deadlock.checks(); kernel.deadlock.checks() < before + 2; ) {
                    kernel.monitor.wake();
                    LockSupport.parkNanos(DeadlockDetector.APART_NANOS);
                }
                boolean isEverybodyAsleep = kernel.live() > 0
                        && kernel.idle.idleProcessors() == kernel.procs()
                        && kernel.counters.submissions() == seen;
                if (!isEverybodyAsleep) {
                    rounds = -1;
                }
            }
            if (action.equals("halt")) {
                System.out.println("left alone");
                System.out.flush();
                Runtime.getRuntime().halt(0);
            }
            Signal.raise(new Signal(action));
        }

        private static Kernel kernel() {
            Thread any = Scheduler.current().threadFactory().newThread(() -> {});
            return ((KernelPool) Objects.requireNonNull(Jdk.poolOf(any))).kernel();
        }
    }

    private static Go.Body program(String name) {
        return switch (name) {
            case "endless" -> () -> Thread.sleep(Long.MAX_VALUE);
            case "endlessPoll" ->
                () -> {
                    Object _ = new LinkedBlockingQueue<>().poll(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
                };
            case "signal" ->
                () -> {
                    Chan<Integer> values = Chan.make();
                    Signal.handle(new Signal("WINCH"), _ -> sendQuietly(values));
                    values.receive();
                };
            case "ignoredSignal" ->
                () -> {
                    Signal.handle(new Signal("WINCH"), SignalHandler.SIG_IGN);
                    Chan.make().receive();
                };
            case "hook" ->
                () -> {
                    Chan<Integer> values = Chan.make();
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> sendQuietly(values)));
                    values.receive();
                };
            case "removedHook" ->
                () -> {
                    Thread hook = new Thread(() -> {});
                    Runtime.getRuntime().addShutdownHook(hook);
                    Runtime.getRuntime().removeShutdownHook(hook);
                    Chan.make().receive();
                };
            case "namesake" ->
                () -> {
                    // one of the program's own, with a name of the JDK's
                    Chan<Integer> values = Chan.make();
                    Thread.ofPlatform().daemon().name("Common-Cleaner").start(() -> {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(A_WHILE_MILLIS));
                        sendQuietly(values);
                    });
                    values.receive();
                };
            case "stopped" ->
                () -> {
                    Timer.afterFunc(Duration.ofHours(1), () -> {}).stop();
                    Chan.make().receive();
                };
            case "cancelled" ->
                () -> {
                    cancelledTimeout();
                    Chan.make().receive();
                };
            case "cancelledInHeap" ->
                () -> {
                    Thread sleeper = Thread.currentThread();
                    Go.go(() -> {
                        Thread.sleep(1); // when it is due, the longer timeout moves from the inbox to the heap
                        LockSupport.unpark(sleeper);
                    });
                    LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
                    Chan.make().receive();
                };
            case "context" ->
                () -> {
                    try (Cancellable context = Context.background().withTimeout(Duration.ofHours(1))) {
                        context.cancel();
                    }
                    Chan.make().receive();
                };
            case "executors" ->
                () -> {
                    try (ExecutorService fixed = Executors.newFixedThreadPool(2)) {
                        fixed.submit(() -> {}).get();
                    }
                    try (ScheduledExecutorService timed = Executors.newScheduledThreadPool(1)) {
                        timed.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).get();
                    }
                    try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
                        virtual.submit(() -> {}).get();
                    }
                    try (ForkJoinPool pool = new ForkJoinPool(2)) {
                        pool.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).get();
                    }
                    Chan.make().receive();
                };
            case "commonPool" ->
                () -> {
                    CompletableFuture.runAsync(() -> {}).get();
                    CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS))
                            .get();
                    CompletableFuture<Object> timed = new CompletableFuture<>().orTimeout(1, TimeUnit.HOURS);
                    timed.complete("cancels the timeout");
                    Chan.make().receive();
                };
            case "stockThreads" ->
                () -> {
                    Thread maker = Thread.ofPlatform().start(() -> {
                        try {
                            Thread.ofVirtual()
                                    .start(() -> LockSupport.parkNanos(1_000_000))
                                    .join();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    maker.join();
                    Chan.make().receive();
                };
            case "scheduler" ->
                () -> {
                    try (Scheduler other = Scheduler.builder().procs(1).build()) {
                        CountDownLatch done = new CountDownLatch(1);
                        other.go(done::countDown);
                        done.await();
                    }
                    Chan.make().receive();
                };
            case "selector" ->
                () -> {
                    try (Selector selector = Selector.open();
                            ServerSocketChannel server = ServerSocketChannel.open()) {
                        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                        server.configureBlocking(false);
                        server.register(selector, SelectionKey.OP_ACCEPT);
                        int _ = selector.select();
                    }
                };
            case "usedSockets" ->
                () -> {
                    useSockets();
                    Chan.make().receive();
                };
            case "simple" -> () -> Chan.make().receive();
            case "locked" ->
                () -> {
                    Go.lockOSThread();
                    Chan.make().receive();
                };
            case "locked2" ->
                () -> {
                    Go.go(() -> {
                        Go.lockOSThread();
                        Chan.make().receive();
                    });
                    Thread.sleep(1);
                    Chan.make().receive();
                };
            case "goexit" ->
                () -> {
                    Go.Body others = () -> {
                        for (int i = 0; i < 10; i++) {
                            Go.gosched();
                        }
                    };
                    Go.go(others);
                    Go.go(others);
                    Go.goexit();
                };
            case "parked" -> LockSupport::park;
            case "threads" ->
                () -> {
                    for (int i = 0; i < 100; i++) {
                        Go.go(() -> {
                            Go.lockOSThread();
                            Chan.make().receive();
                        });
                    }
                    Chan.make().receive();
                };
            case "sleeper" -> () -> Thread.sleep(A_WHILE_MILLIS);
            case "input" ->
                () -> {
                    System.out.println("ready");
                    int _ = System.in.read();
                };
            case "socket" -> DeadlockPrograms::readSocket;
            case "platform" ->
                () -> {
                    Chan<Integer> values = Chan.make();
                    Thread.ofPlatform().daemon().start(() -> {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(A_WHILE_MILLIS));
                        sendQuietly(values);
                    });
                    values.receive();
                };
            case "delayed" ->
                () -> CompletableFuture.runAsync(
                                () -> {}, CompletableFuture.delayedExecutor(A_WHILE_MILLIS, TimeUnit.MILLISECONDS))
                        .get();
            case "stock" ->
                () -> {
                    // made by a platform thread it belongs to the JDK's scheduler
                    Chan<Integer> values = Chan.make();
                    Thread maker = Thread.ofPlatform()
                            .start(() -> Thread.ofVirtual().start(() -> {
                                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(A_WHILE_MILLIS));
                                sendQuietly(values);
                            }));
                    maker.join();
                    values.receive();
                };
            case "pinned" ->
                () -> {
                    Object monitor = new Object();
                    Jdk.pin();
                    synchronized (monitor) {
                        monitor.wait(A_WHILE_MILLIS);
                    }
                    Jdk.unpin();
                };
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static void cancelledTimeout() {
        Thread self = Thread.currentThread();
        Go.go(() -> LockSupport.unpark(self));
        LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
    }

    /// A connection whose both ends had to wait.
    private static void useSockets() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Go.go(() -> {
                try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
                    client.getOutputStream().write(1);
                    int _ = client.getInputStream().read();
                }
            });
            try (Socket socket = server.accept()) {
                int _ = socket.getInputStream().read();
            }
        }
    }

    private static void sendQuietly(Chan<Integer> values) {
        try {
            values.send(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void readSocket() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.out.println(server.getLocalPort());
            try (Socket socket = server.accept()) {
                System.out.println("accepted");
                int _ = socket.getInputStream().read();
            }
        }
    }
}
