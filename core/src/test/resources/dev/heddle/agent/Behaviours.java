import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Small questions about virtual threads, each answered in one line. The answers must not depend on the scheduler.
/// Run as a source file, since structured concurrency is a preview.
class Behaviours {

    static final Map<String, Callable<Object>> CHECKS = new TreeMap<>();

    static {
        // ---- Thread
        CHECKS.put("a virtual thread says what it is", () -> {
            Thread thread = Thread.ofVirtual().name("v").unstarted(() -> {});
            return List.of(
                    thread.isVirtual(), thread.isDaemon(), thread.getPriority(), thread.getName(),
                    thread.getThreadGroup().getName(), thread.getState());
        });
        CHECKS.put("its states from new to terminated", () -> {
            List<Object> states = new ArrayList<>();
            CountDownLatch spinning = new CountDownLatch(1);
            AtomicInteger phase = new AtomicInteger();
            Thread thread = Thread.ofVirtual().unstarted(() -> {
                spinning.countDown();
                while (phase.get() == 0) {
                    Thread.onSpinWait();
                }
                LockSupport.park();
                LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
            });
            states.add(thread.getState());
            thread.start();
            spinning.await();
            states.add(thread.getState());
            phase.set(1);
            states.add(awaitState(thread, Thread.State.WAITING));
            LockSupport.unpark(thread);
            states.add(awaitState(thread, Thread.State.TIMED_WAITING));
            LockSupport.unpark(thread);
            thread.join();
            states.add(thread.getState());
            return states;
        });
        CHECKS.put("it cannot be a daemon or not, nor start twice", () -> {
            Thread thread = Thread.ofVirtual().unstarted(() -> {});
            thread.start();
            thread.join();
            return List.of(failure(() -> thread.setDaemon(false)), failure(thread::start));
        });
        CHECKS.put("names are counted up by a factory", () -> {
            ThreadFactory factory = Thread.ofVirtual().name("worker-", 7).factory();
            return List.of(factory.newThread(() -> {}).getName(), factory.newThread(() -> {}).getName());
        });
        CHECKS.put("an exception reaches the thread's handler", () -> {
            AtomicReference<Object> seen = new AtomicReference<>();
            Thread thread = Thread.ofVirtual()
                    .name("thrower")
                    .uncaughtExceptionHandler((who, what) -> seen.set(who.getName() + ": " + what.getMessage()))
                    .start(() -> {
                        throw new IllegalStateException("as asked");
                    });
            thread.join();
            return seen.get();
        });
        CHECKS.put("join with a limit tells whether it ended", () -> {
            CountDownLatch go = new CountDownLatch(1);
            Thread thread = Thread.startVirtualThread(() -> awaitQuietly(go));
            boolean early = thread.join(Duration.ofMillis(20));
            go.countDown();
            return List.of(early, thread.join(Duration.ofSeconds(60)), thread.isAlive());
        });
        CHECKS.put("the stack of a parked thread shows where it waits", () -> {
            Thread thread = Thread.startVirtualThread(Behaviours::parkHere);
            awaitState(thread, Thread.State.WAITING);
            boolean found = false;
            for (StackTraceElement frame : thread.getStackTrace()) {
                found |= frame.getMethodName().equals("parkHere");
            }
            LockSupport.unpark(thread);
            thread.join();
            return found + " " + thread.getStackTrace().length;
        });
        CHECKS.put("10,000 threads that sleep all end", () -> {
            AtomicInteger ended = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                threads.add(Thread.startVirtualThread(() -> {
                    sleepQuietly(10);
                    ended.incrementAndGet();
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            return ended.get();
        });
        // ---- interrupts
        CHECKS.put("interrupt ends a sleep and clears the status", () -> inVirtualThread(self -> {
            interruptOnceWaiting(self, Thread.State.TIMED_WAITING);
            return failure(() -> Thread.sleep(Duration.ofHours(1))) + " " + Thread.interrupted();
        }));
        CHECKS.put("interrupt ends a park and keeps the status", () -> inVirtualThread(self -> {
            interruptOnceWaiting(self, Thread.State.WAITING);
            LockSupport.park();
            return Thread.interrupted() + " " + Thread.interrupted();
        }));
        CHECKS.put("interrupt ends Object.wait", () -> inVirtualThread(self -> {
            Object monitor = new Object();
            interruptOnceWaiting(self, Thread.State.WAITING);
            return failure(() -> {
                synchronized (monitor) {
                    monitor.wait();
                }
            }) + " " + Thread.interrupted();
        }));
        CHECKS.put("interrupt before a blocking call is not lost", () -> inVirtualThread(self -> {
            self.interrupt();
            String sleep = failure(() -> Thread.sleep(1));
            self.interrupt();
            String acquire = failure(() -> new Semaphore(0).acquire());
            self.interrupt();
            LockSupport.park();
            return sleep + " " + acquire + " " + Thread.interrupted();
        }));
        CHECKS.put("interrupt closes a channel that is read", () -> inVirtualThread(self -> {
            Pipe pipe = Pipe.open();
            interruptOnceWaiting(self, Thread.State.WAITING);
            return failure(() -> pipe.source().read(ByteBuffer.allocate(1)))
                    + " " + Thread.interrupted() + " " + pipe.source().isOpen();
        }));
        // ---- monitors, locks, queues
        CHECKS.put("synchronized counts right with 64 threads", () -> {
            Object monitor = new Object();
            int[] count = new int[1];
            all(64, () -> {
                for (int i = 0; i < 200; i++) {
                    synchronized (monitor) {
                        count[0]++;
                        if (i % 50 == 0) {
                            Thread.yield();
                        }
                    }
                }
            });
            return count[0];
        });
        CHECKS.put("a thread that waits for a monitor is blocked", () -> {
            Object monitor = new Object();
            Thread thread;
            Object state;
            synchronized (monitor) {
                thread = Thread.startVirtualThread(() -> {
                    synchronized (monitor) {
                        Thread.onSpinWait();
                    }
                });
                state = awaitState(thread, Thread.State.BLOCKED);
            }
            thread.join();
            return state;
        });
        CHECKS.put("wait and notify pass a token 500 times", () -> {
            int[] turn = new int[1];
            Object monitor = new Object();
            Thread other = Thread.startVirtualThread(() -> takeTurns(monitor, turn, 1));
            takeTurns(monitor, turn, 0);
            other.join();
            return turn[0];
        });
        CHECKS.put("a timed wait ends by itself", () -> inVirtualThread(self -> {
            Object monitor = new Object();
            long start = System.nanoTime();
            synchronized (monitor) {
                monitor.wait(30);
            }
            return System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(29);
        }));
        CHECKS.put("timed acquire, poll and lock time out", () -> inVirtualThread(self -> {
            ReentrantLock lock = new ReentrantLock();
            CountDownLatch locked = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            Thread owner = Thread.startVirtualThread(() -> {
                lock.lock();
                locked.countDown();
                awaitQuietly(release);
                lock.unlock();
            });
            locked.await();
            Object answer = List.of(
                    lock.tryLock(10, TimeUnit.MILLISECONDS),
                    new Semaphore(0).tryAcquire(10, TimeUnit.MILLISECONDS),
                    String.valueOf(new SynchronousQueue<>().poll(10, TimeUnit.MILLISECONDS)));
            release.countDown();
            owner.join();
            return answer;
        }));
        CHECKS.put("sleeps are not shorter than asked", () -> inVirtualThread(self -> {
            int tooShort = 0;
            for (int millis = 1; millis <= 10; millis++) {
                long start = System.nanoTime();
                Thread.sleep(millis);
                if (System.nanoTime() - start < millis * 1_000_000L) {
                    tooShort++;
                }
            }
            return tooShort;
        }));
        CHECKS.put("barrier and phaser bring 100 threads together", () -> {
            CyclicBarrier barrier = new CyclicBarrier(100);
            Phaser phaser = new Phaser(100);
            AtomicInteger passed = new AtomicInteger();
            all(100, () -> {
                barrier.await();
                phaser.arriveAndAwaitAdvance();
                passed.incrementAndGet();
            });
            return passed.get() + " " + phaser.getPhase();
        });
        // ---- thread-locals and scoped values
        CHECKS.put("thread-locals are the thread's own", () -> {
            ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 0);
            Map<Integer, Integer> last = new ConcurrentHashMap<>();
            AtomicInteger id = new AtomicInteger();
            all(50, () -> {
                int own = id.getAndIncrement();
                for (int i = 0; i < 20; i++) {
                    local.set(local.get() + 1);
                    Thread.yield();
                }
                last.put(own, local.get());
            });
            return last.size() + " " + List.copyOf(new java.util.TreeSet<>(last.values()));
        });
        CHECKS.put("inheritable thread-locals and class loader are inherited", () -> {
            InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
            ClassLoader loader = new ClassLoader("ours", Behaviours.class.getClassLoader()) {};
            return inVirtualThread(self -> {
                local.set("from the parent");
                self.setContextClassLoader(loader);
                AtomicReference<Object> seen = new AtomicReference<>();
                Thread.startVirtualThread(() -> seen.set(
                                local.get() + ", " + Thread.currentThread().getContextClassLoader().getName()))
                        .join();
                AtomicReference<Object> bare = new AtomicReference<>();
                Thread.ofVirtual().inheritInheritableThreadLocals(false).start(() -> bare.set(local.get())).join();
                return seen.get() + ", " + bare.get();
            });
        });
        CHECKS.put("scoped values reach forks and not other threads", () -> {
            ScopedValue<String> user = ScopedValue.newInstance();
            return ScopedValue.where(user, "alice").call(() -> {
                AtomicReference<Object> outside = new AtomicReference<>();
                Thread.startVirtualThread(() -> outside.set(user.isBound())).join();
                try (var scope = StructuredTaskScope.open()) {
                    var inside = scope.fork(() -> user.get());
                    scope.join();
                    return inside.get() + " " + outside.get();
                }
            });
        });
        // ---- executors and structured concurrency
        CHECKS.put("an executor of virtual threads runs 1000 tasks", () -> {
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Integer>> futures = new ArrayList<>();
                for (int i = 0; i < 1000; i++) {
                    int number = i;
                    futures.add(executor.submit(() -> number * 2));
                }
                int sum = 0;
                for (Future<Integer> future : futures) {
                    sum += future.get();
                }
                return sum;
            }
        });
        CHECKS.put("shutdownNow interrupts what runs", () -> {
            var executor = Executors.newVirtualThreadPerTaskExecutor();
            CountDownLatch started = new CountDownLatch(1);
            Future<Object> future = executor.submit(() -> {
                started.countDown();
                Thread.sleep(Duration.ofHours(1));
                return "not interrupted";
            });
            started.await();
            executor.shutdownNow();
            return failure(future::get) + " " + executor.awaitTermination(60, TimeUnit.SECONDS)
                    + " " + failure(() -> executor.submit(() -> {}));
        });
        CHECKS.put("invokeAny takes the first and cancels the rest", () -> {
            AtomicInteger interrupted = new AtomicInteger();
            Callable<String> slow = () -> {
                try {
                    Thread.sleep(Duration.ofHours(1));
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                }
                return "slow";
            };
            String first;
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                first = executor.invokeAny(List.of(() -> "fast", slow, slow));
            }
            return first + " " + (interrupted.get() <= 2);
        });
        CHECKS.put("a structured scope collects all results", () -> {
            try (var scope = StructuredTaskScope.open(Joiner.<Integer>allSuccessfulOrThrow())) {
                for (int i = 0; i < 20; i++) {
                    int number = i;
                    scope.fork(() -> {
                        Thread.sleep(number % 3);
                        return number;
                    });
                }
                return scope.join().mapToInt(StructuredTaskScope.Subtask::get).sum();
            }
        });
        CHECKS.put("a structured scope fails and cancels with its first failure", () -> {
            AtomicInteger cancelled = new AtomicInteger();
            String failed = failure(() -> {
                try (var scope = StructuredTaskScope.open()) {
                    CountDownLatch sleeping = new CountDownLatch(1);
                    scope.fork(() -> {
                        try {
                            sleeping.countDown();
                            Thread.sleep(Duration.ofHours(1));
                        } catch (InterruptedException e) {
                            cancelled.incrementAndGet();
                        }
                        return null;
                    });
                    scope.fork(() -> {
                        sleeping.await();
                        throw new IOException("broken");
                    });
                    scope.join();
                }
            });
            return failed + " " + cancelled.get();
        });
        CHECKS.put("a structured scope times out", () -> failure(() -> {
            try (var scope = StructuredTaskScope.open(
                    Joiner.awaitAllSuccessfulOrThrow(), config -> config.withTimeout(Duration.ofMillis(20)))) {
                scope.fork(() -> {
                    Thread.sleep(Duration.ofHours(1));
                    return null;
                });
                scope.join();
            }
        }));
        CHECKS.put("futures time out and complete across threads", () -> inVirtualThread(self -> {
            CompletableFuture<String> never = new CompletableFuture<>();
            String timeout = failure(() -> never.get(10, TimeUnit.MILLISECONDS));
            CompletableFuture<String> soon = new CompletableFuture<>();
            Thread.startVirtualThread(() -> soon.complete("completed"));
            return timeout + " " + soon.get();
        }));
        // ---- sockets and pipes
        CHECKS.put("an HttpClient asks a server, both with virtual threads, and gives up in time", () -> {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            CountDownLatch end = new CountDownLatch(1);
            server.createContext("/", exchange -> answer(exchange, end));
            try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                    HttpClient client = HttpClient.newBuilder().executor(threads).build()) {
                server.setExecutor(threads);
                server.start();
                String uri = "http://localhost:" + server.getAddress().getPort() + "/";
                List<Future<Integer>> answers = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    HttpRequest request = HttpRequest.newBuilder(URI.create(uri + i)).build();
                    answers.add(threads.submit(() -> client.send(request, BodyHandlers.ofString()).body().length()));
                }
                int length = 0;
                for (Future<Integer> answer : answers) {
                    length += answer.get();
                }
                HttpRequest slow = HttpRequest.newBuilder(URI.create(uri + "slow"))
                        .timeout(Duration.ofMillis(50))
                        .build();
                String timeout = failure(() -> client.send(slow, BodyHandlers.ofString()));
                end.countDown();
                server.stop(0);
                return List.of(length, timeout);
            }
        });
        CHECKS.put("sockets echo, time out, and wake when closed", () -> {
            try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
                Thread echo = Thread.startVirtualThread(() -> echo(server));
                Object answer = inVirtualThread(self -> {
                    try (var socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                        int wrong = 0;
                        for (int i = 0; i < 200; i++) {
                            socket.getOutputStream().write(i & 127);
                            wrong += socket.getInputStream().read() == (i & 127) ? 0 : 1;
                        }
                        socket.setSoTimeout(20);
                        String timeout = failure(() -> socket.getInputStream().read());
                        socket.setSoTimeout(0);
                        Thread closer = Thread.startVirtualThread(() -> {
                            awaitState(self, Thread.State.WAITING);
                            closeQuietly(socket);
                        });
                        String closed = failure(() -> socket.getInputStream().read());
                        closer.join();
                        return wrong + " " + timeout + " " + closed;
                    }
                });
                echo.join();
                return answer;
            }
        });
        CHECKS.put("piped streams carry a megabyte", () -> {
            PipedOutputStream out = new PipedOutputStream();
            PipedInputStream in = new PipedInputStream(out);
            Thread writer = Thread.startVirtualThread(() -> {
                try (OutputStream stream = out) {
                    for (int i = 0; i < 256; i++) {
                        stream.write(new byte[4096]);
                    }
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            Object count = inVirtualThread(self -> {
                try (InputStream stream = in) {
                    return stream.readAllBytes().length;
                }
            });
            writer.join();
            return count;
        });
        // ---- dumps
        CHECKS.put("a thread dump shows a parked virtual thread", () -> {
            Thread thread = Thread.ofVirtual().name("seen in the dump").start(Behaviours::parkHere);
            awaitState(thread, Thread.State.WAITING);
            Path folder = Files.createTempDirectory("behaviours");
            Path file = folder.resolve("dump.json");
            ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class)
                    .dumpThreads(
                            file.toString(),
                            com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
            String dump = Files.readString(file);
            Files.delete(file);
            Files.delete(folder);
            LockSupport.unpark(thread);
            thread.join();
            return dump.contains("seen in the dump") + " " + dump.contains("parkHere");
        });
        CHECKS.put("Thread.getAllStackTraces shows no virtual thread", () -> {
            boolean virtual = false;
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                virtual |= thread.isVirtual();
            }
            return virtual;
        });
        CHECKS.put("a mounted thread names its carrier as the JDK does", () -> inVirtualThread(
                self -> self.toString().replaceAll("#[0-9]+", "#N").replaceAll("worker-[0-9]+", "worker-N")));
    }

    public static void main(String[] args) throws Exception {
        for (var check : CHECKS.entrySet()) {
            Object answer;
            try {
                answer = check.getValue().call();
            } catch (Throwable e) {
                answer = "FAILED " + e;
            }
            System.out.println(check.getKey() + ": " + answer);
        }
    }

    // ---- helpers

    interface Body {
        void run() throws Exception;
    }

    interface Question {
        Object ask(Thread self) throws Exception;
    }

    static Object inVirtualThread(Question question) throws Exception {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                answer.complete(question.ask(Thread.currentThread()));
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        return answer.get(120, TimeUnit.SECONDS);
    }

    static void all(int count, Body body) throws Exception {
        try (var scope = StructuredTaskScope.open()) {
            for (int i = 0; i < count; i++) {
                scope.fork(() -> {
                    body.run();
                    return null;
                });
            }
            scope.join();
        }
    }

    /// The name of the exception that the body ends with, and its cause's.
    static String failure(Body body) {
        try {
            body.run();
            return "none";
        } catch (Throwable e) {
            String cause = e.getCause() == null ? "" : "(" + e.getCause().getClass().getSimpleName() + ")";
            return e.getClass().getSimpleName() + cause;
        }
    }

    /// Waits until the thread has the state; says which it has if that takes a minute.
    static Thread.State awaitState(Thread thread, Thread.State state) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (thread.getState() != state && System.nanoTime() < deadline) {
            sleepQuietly(1);
        }
        return thread.getState();
    }

    static void interruptOnceWaiting(Thread thread, Thread.State state) {
        Thread.ofPlatform().daemon().start(() -> {
            awaitState(thread, state);
            thread.interrupt();
        });
    }

    static void parkHere() {
        LockSupport.park();
    }

    static void takeTurns(Object monitor, int[] turn, int own) {
        synchronized (monitor) {
            while (turn[0] < 500) {
                if (turn[0] % 2 == own) {
                    turn[0]++;
                    monitor.notifyAll();
                } else {
                    try {
                        monitor.wait();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            monitor.notifyAll();
        }
    }

    static void answer(HttpExchange exchange, CountDownLatch end) throws IOException {
        String path = exchange.getRequestURI().getPath();
        try {
            if (path.equals("/slow")) {
                end.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.sendResponseHeaders(200, path.length());
        exchange.getResponseBody().write(path.getBytes());
        exchange.close();
    }

    static void echo(ServerSocket server) {
        try (var socket = server.accept()) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException _) {
            // the other side went away
        }
    }

    static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // closed anyway
        }
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void sleepQuietly(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
