package dev.heddle.internal.jdk;

import jdk.internal.misc.Unsafe;

/// The JDK's socket pollers: the threads that wait for readiness on behalf of virtual threads.
///
/// The JDK starts them on first use. Pollers that are virtual threads belong to the scheduler of the thread that
/// happens to use them first.
public final class JdkPollers {

    private static final String SUB_POLLER = "SubPoller-";

    private JdkPollers() {}

    /// Starts the pollers on the JVM's default scheduler, regardless of the calling thread.
    ///
    /// Otherwise the first virtual thread that waits for a socket would bind the pollers of the whole JVM to its
    /// scheduler, which may be closed later (J5).
    public static void startOnDefaultScheduler() {
        if (!Thread.currentThread().isVirtual()) {
            start();
            return;
        }
        Thread platform =
                new Thread(null, JdkPollers::start, "heddle-pollers", 0, /* inheritInheritableThreadLocals= */ false);
        platform.start();
        boolean interrupted = false;
        while (platform.isAlive()) {
            try {
                platform.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void start() {
        try {
            Unsafe.getUnsafe().ensureClassInitialized(poller());
        } catch (ExceptionInInitializerError | NoClassDefFoundError _) {
            // no file descriptors, or a bad jdk.pollerMode: the JDK reports it to the first user of a socket
        }
    }

    /// Whether the pollers have been started, by this class or by the first use of a socket.
    public static boolean isStarted() {
        return !Unsafe.getUnsafe().shouldBeInitialized(poller());
    }

    private static Class<?> poller() {
        try {
            return Class.forName("sun.nio.ch.Poller", /* initialize= */ false, null);
        } catch (ClassNotFoundException e) {
            throw Jdk.unexpected("sun.nio.ch.Poller", e);
        }
    }

    /// Whether this is one of the JDK's own poller threads, which is not a goroutine of the program. Allocates
    /// nothing.
    public static boolean isSubPoller(Thread virtualThread) {
        String name = virtualThread.getName();
        return !name.isEmpty() && name.startsWith(SUB_POLLER) && hasHandlerOfPoller(virtualThread);
    }

    private static boolean hasHandlerOfPoller(Thread virtualThread) {
        return virtualThread.getUncaughtExceptionHandler().getClass().getName().startsWith("sun.nio.ch.Poller");
    }
}
