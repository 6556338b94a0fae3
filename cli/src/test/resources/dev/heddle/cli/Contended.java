import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;

/// Programs with virtual threads of the JDK: some with a cause that the doctor knows, the same without it, and healthy
/// ones that look like it.
public class Contended {
    private static volatile long sink;

    interface Body {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "semaphore" -> semaphore(400, /* slowPartInside= */ true);
            case "semaphoreFixed" -> semaphore(400, /* slowPartInside= */ false);
            case "lostPermits" -> lostPermits();
            case "signals" -> signals();
            case "connections" -> connections(400);
            case "connectionsQuick" -> connections(3);
            case "workers" -> workers();
            case "convoy" -> convoy(/* computeInside= */ true);
            case "convoyFixed" -> convoy(/* computeInside= */ false);
            case "monitorConvoy" -> monitorConvoy();
            case "hotLock" -> hotLock();
            case "sleepAfterUnlock" -> sleepAfterUnlock();
            case "latchDeadlock" -> latchDeadlock(/* countFirst= */ false);
            case "latchFixed" -> latchDeadlock(/* countFirst= */ true);
            case "deadLatch" -> deadLatch();
            case "stopLatch" -> Server.start();
            case "upgrade" -> upgrade();
            case "mixedDeadlock" -> mixedDeadlock();
            case "leader" -> leader();
            case "initialiser" -> initialiser();
            case "initialiserFixed" -> initialiserFixed();
            case "callback" -> callback();
            case "commonPool" -> commonPool();
            case "commonPoolFixed" -> commonPoolFixed();
            case "fixedPool" -> fixedPool();
            case "nestedPool" -> nestedPool();
            case "parallelBatch" -> parallelBatch();
            case "batch" -> batch();
            case "hog" -> hog();
            case "server" -> server();
            default -> throw new IllegalArgumentException(args[0]);
        }
        Thread.sleep(300_000);
    }

    private static void forEver(int threads, Body body) {
        for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(() -> {
                try {
                    while (true) {
                        body.run();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private static void compute(int rounds) {
        long state = sink;
        for (int i = 0; i < rounds; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
        }
        sink = state;
    }

    private static void remoteCall(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }

    // ---- pools and semaphores

    private static void semaphore(long millis, boolean slowPartInside) {
        var permits = new Semaphore(3);
        forEver(40, () -> {
            permits.acquire();
            try {
                sink++;
                if (slowPartInside) {
                    remoteCall(millis);
                }
            } finally {
                permits.release();
            }
            if (!slowPartInside) {
                remoteCall(millis);
            }
        });
    }

    private static void lostPermits() {
        var permits = new Semaphore(5);
        for (int i = 0; i < 30; i++) {
            int number = i;
            Thread.ofVirtual().uncaughtExceptionHandler((_, _) -> {}).start(() -> {
                try {
                    while (true) {
                        permits.acquire();
                        if (number < 5) {
                            throw new IllegalStateException("bad answer"); // without release
                        }
                        remoteCall(5);
                        permits.release();
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    /// Idle workers at a semaphore that another thread releases: the workers give nothing back.
    private static void signals() {
        var signals = new Semaphore(0);
        forEver(20, () -> {
            signals.acquire();
            remoteCall(400);
        });
        forEver(1, () -> {
            signals.release();
            Thread.sleep(150);
        });
    }

    private record Connection(int number) {
        void query(long millis) throws InterruptedException {
            Thread.sleep(millis);
        }
    }

    private static final class Connections {
        private final BlockingQueue<Connection> free = new ArrayBlockingQueue<>(3);

        Connections() {
            for (int i = 0; i < 3; i++) {
                free.add(new Connection(i));
            }
        }

        Connection borrow() throws InterruptedException {
            return free.take();
        }

        void giveBack(Connection connection) {
            free.offer(connection);
        }
    }

    private static void connections(long millis) {
        var connections = new Connections();
        forEver(30, () -> {
            Connection connection = connections.borrow();
            try {
                connection.query(millis);
            } finally {
                connections.giveBack(connection);
            }
            remoteCall(millis);
        });
    }

    /// Workers that wait for tasks, and now and then put one back.
    private static void workers() {
        var tasks = new LinkedBlockingQueue<Integer>();
        forEver(20, () -> {
            int task = tasks.take();
            remoteCall(300);
            if (ThreadLocalRandom.current().nextInt(10) == 0) {
                tasks.put(task); // once more, later
            }
        });
        forEver(1, () -> {
            tasks.put(1);
            Thread.sleep(100);
        });
    }

    // ---- locks

    private static void convoy(boolean computeInside) {
        var lock = new ReentrantLock();
        Map<Long, Long> results = new HashMap<>();
        forEver(40, () -> {
            if (!computeInside) {
                Thread.sleep(100);
                compute(10_000);
            }
            lock.lock();
            try {
                if (computeInside) {
                    compute(5_000_000);
                }
                results.put(sink & 1023, sink);
            } finally {
                lock.unlock();
            }
        });
    }

    private static void monitorConvoy() {
        var lock = new Object();
        forEver(40, () -> {
            synchronized (lock) {
                compute(5_000_000);
            }
        });
    }

    /// As many threads, for microseconds.
    private static void hotLock() {
        var lock = new ReentrantLock();
        forEver(40, () -> {
            for (int i = 0; i < 100; i++) {
                lock.lock();
                try {
                    compute(100);
                } finally {
                    lock.unlock();
                }
                compute(1_000);
            }
            Thread.sleep(1);
        });
    }

    private static void sleepAfterUnlock() {
        var lock = new ReentrantLock();
        forEver(20, () -> {
            lock.lock();
            try {
                compute(100);
            } finally {
                lock.unlock();
            }
            Thread.sleep(1);
        });
    }

    /// The loader waits for the latch with the lock, and the thread that counts down wants the lock first.
    private static void latchDeadlock(boolean countFirst) {
        var lock = new ReentrantLock();
        var loaded = new CountDownLatch(1);
        var locked = new CountDownLatch(1);
        Thread.startVirtualThread(() -> awaitLoaded(lock, locked, loaded));
        Thread.startVirtualThread(() -> load(lock, locked, loaded, countFirst));
        forEver(2, () -> Thread.sleep(20));
    }

    private static void awaitLoaded(ReentrantLock lock, CountDownLatch locked, CountDownLatch loaded) {
        lock.lock();
        try {
            locked.countDown();
            loaded.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            lock.unlock();
        }
    }

    private static void load(ReentrantLock lock, CountDownLatch locked, CountDownLatch loaded, boolean countFirst) {
        try {
            locked.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (countFirst) {
            loaded.countDown();
        }
        lock.lock();
        loaded.countDown();
        lock.unlock();
    }

    /// One of three workers fails before it counts down.
    private static void deadLatch() {
        var done = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            int number = i;
            Thread.ofVirtual().uncaughtExceptionHandler((_, _) -> {}).start(() -> {
                if (number == 1) {
                    throw new IllegalStateException("bad input");
                }
                done.countDown();
            });
        }
        Thread.startVirtualThread(() -> await(done));
        forEver(2, () -> Thread.sleep(20));
    }

    /// A latch that a hook counts down: in a class of its own, since the doctor reads the code of all loaded classes.
    private static final class Server {
        static void start() {
            var stopped = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stopped.countDown()));
            Thread.startVirtualThread(() -> await(stopped));
            forEver(2, () -> Thread.sleep(20));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void upgrade() {
        var lock = new ReentrantReadWriteLock();
        Thread.startVirtualThread(() -> {
            lock.readLock().lock();
            lock.writeLock().lock();
        });
        forEver(2, () -> Thread.sleep(20));
    }

    /// A platform thread and a virtual one, a monitor and a lock.
    private static void mixedDeadlock() {
        var monitor = new Object();
        var lock = new ReentrantLock();
        var both = new CountDownLatch(2);
        Thread.startVirtualThread(() -> {
            synchronized (monitor) {
                meet(both);
                lock.lock();
            }
        });
        Thread.ofPlatform().daemon().name("importer").start(() -> {
            lock.lock();
            meet(both);
            synchronized (monitor) {
                sink++;
            }
        });
        forEver(2, () -> Thread.sleep(20));
    }

    private static void meet(CountDownLatch both) {
        both.countDown();
        try {
            both.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Idle workers, one of which waits for work with a lock.
    private static void leader() {
        var lock = new ReentrantLock();
        var tasks = new LinkedBlockingQueue<Integer>();
        forEver(5, () -> {
            lock.lock();
            try {
                sink = tasks.take();
            } finally {
                lock.unlock();
            }
        });
        forEver(2, () -> Thread.sleep(20));
    }

    // ---- pinned

    private static final class Config {
        static final long VALUE = slow();

        private static long slow() {
            return readFor(40_000);
        }
    }

    private static long readFor(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return 1;
    }

    private static void initialiser() {
        forEver(8, () -> sink += Config.VALUE);
        forEver(2, () -> Thread.sleep(20));
    }

    /// As slow, but outside of an initialiser: the others wait for a latch, without their carriers.
    private static void initialiserFixed() {
        var loaded = new CountDownLatch(1);
        Thread.startVirtualThread(() -> loadSlowly(loaded));
        forEver(8, () -> {
            loaded.await();
            sink++;
        });
        forEver(2, () -> Thread.sleep(20));
    }

    private static void loadSlowly(CountDownLatch loaded) {
        sink += readFor(40_000);
        loaded.countDown();
    }

    /// A comparator that native code calls, and that sleeps.
    private static void callback() throws Exception {
        Linker linker = Linker.nativeLinker();
        MethodHandle compare = MethodHandles.lookup()
                .findStatic(
                        Contended.class,
                        "compare",
                        MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        var pointer = ValueLayout.ADDRESS;
        MemorySegment stub = linker.upcallStub(
                compare, FunctionDescriptor.of(ValueLayout.JAVA_INT, pointer, pointer), Arena.global());
        MethodHandle sort = linker.downcallHandle(
                linker.defaultLookup().find("qsort").orElseThrow(),
                FunctionDescriptor.ofVoid(pointer, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, pointer));
        forEver(8, () -> {
            try (Arena arena = Arena.ofConfined()) {
                sort.invoke(arena.allocate(64), 16L, 4L, stub);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        });
        forEver(2, () -> Thread.sleep(20));
    }

    static int compare(MemorySegment one, MemorySegment other) {
        return (int) slowTask() - 1;
    }

    // ---- pools of threads

    private static long slowTask() {
        try {
            remoteCall(300);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return 1;
    }

    private static void commonPool() {
        forEver(20, () -> sink += CompletableFuture.supplyAsync(Contended::slowTask).join());
    }

    private static void commonPoolFixed() {
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        forEver(
                20,
                () -> sink +=
                        CompletableFuture.supplyAsync(Contended::slowTask, threads).join());
    }

    private static void fixedPool() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        forEver(20, () -> sink += pool.submit(Contended::slowTask).get());
    }

    /// Tasks that wait for tasks of the same pool.
    private static void nestedPool() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        var both = new CountDownLatch(2);
        for (int i = 0; i < 4; i++) {
            Thread.startVirtualThread(() -> {
                try {
                    sink += pool.submit(() -> {
                                both.countDown();
                                both.await();
                                return pool.submit(Contended::slowTask).get();
                            })
                            .get();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        forEver(2, () -> Thread.sleep(20));
    }

    /// A pool that computes, and two threads that wait for it.
    private static void parallelBatch() {
        forEver(2, () -> sink += IntStream.range(0, 20_000)
                .parallel()
                .mapToLong(it -> {
                    compute(2_000);
                    return it;
                })
                .sum());
    }

    // ---- computing

    private static void batch() {
        forEver(8, () -> compute(500_000_000));
    }

    private static void hog() {
        forEver(4, () -> compute(500_000_000));
        forEver(20, () -> Thread.sleep(5));
    }

    // ---- a server in its first seconds

    private static void server() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            byte[] answer = "answer".repeat(100).getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer);
            }
        });
        server.start();
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        forEver(32, () -> {
            try (var in = address.toURL().openStream()) {
                sink += in.readAllBytes().length;
            }
        });
    }
}
