package dev.heddle.agent;

import dev.heddle.Go;
import dev.heddle.Scheduler;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;

/// What a program sees in a JVM with the agent, one fact per line.
public final class InstalledProgram {

    private InstalledProgram() {}

    public static void main(String[] args) throws Exception {
        Scheduler scheduler = Scheduler.current();
        ForkJoinPool pool = poolOfCarrier();
        say("pool", pool.toString());
        say("pool of Scheduler.current", String.valueOf(scheduler.toString().startsWith(identity(pool))));
        say("in a virtual thread", String.valueOf(inVirtualThread(Scheduler::current) == scheduler));
        CompletableFuture<Scheduler> goroutine = new CompletableFuture<>();
        Go.go(() -> goroutine.complete(Scheduler.current()));
        say("in a goroutine", String.valueOf(goroutine.get(1, TimeUnit.MINUTES) == scheduler));
        say("procs", String.valueOf(scheduler.procs()));

        var bean = ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
        say("bean's parallelism", String.valueOf(bean.getParallelism()));
        bean.setParallelism(3);
        say("after setParallelism(3)", scheduler.procs() + " " + pool.getParallelism());

        pool.shutdown();
        pool.close();
        say("after shutdown", pool.isShutdown() + " " + inVirtualThread(() -> "alive"));
        try {
            scheduler.close();
        } catch (IllegalStateException e) {
            say("close", String.valueOf(e.getMessage()));
        }
        inVirtualThread(InstalledProgram::echo);
        say("goroutines that stay after sockets were used", String.valueOf(settle(scheduler)));
        try (Scheduler other = Scheduler.builder().procs(1).name("other").build()) {
            CompletableFuture<Scheduler> there = new CompletableFuture<>();
            other.go(() -> there.complete(Scheduler.current()));
            say("another scheduler beside it", String.valueOf(there.get(1, TimeUnit.MINUTES) == other));
        }
        System.exit(0);
    }

    /// Waits until all threads of the scheduler have ended, and returns the number that still lives after a
    /// minute.
    private static long settle(Scheduler scheduler) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (scheduler.stats().live() != 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        return scheduler.stats().live();
    }

    private static String echo() throws Exception {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread client = Thread.startVirtualThread(() -> {
                try (var socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    socket.getOutputStream().write(7);
                    socket.getInputStream().read();
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            try (var socket = server.accept()) {
                socket.getOutputStream().write(socket.getInputStream().read());
            }
            client.join();
        }
        return "";
    }

    private static ForkJoinPool poolOfCarrier() throws Exception {
        return inVirtualThread(() -> {
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread instanceof ForkJoinWorkerThread worker
                        && thread.getName().startsWith("ForkJoinPool-1-")) {
                    return worker.getPool();
                }
            }
            throw new IllegalStateException("no carrier found");
        });
    }

    private static String identity(ForkJoinPool pool) {
        String text = pool.toString();
        return text.substring(0, text.indexOf('['));
    }

    private static <T> T inVirtualThread(java.util.concurrent.Callable<T> question) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                answer.complete(question.call());
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        return answer.get(1, TimeUnit.MINUTES);
    }

    private static void say(String what, String fact) {
        System.out.println(what + ": " + fact);
    }
}
