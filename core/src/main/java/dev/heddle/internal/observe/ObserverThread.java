package dev.heddle.internal.observe;

import dev.heddle.internal.kernel.KernelThread;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Accepts commands at the socket of this JVM. It never prints and never ends the JVM: a failure affects the command
/// only, which reports it.
///
/// It is a kernel thread for the deadlock detector: it wakes no goroutine. While no command asks, it waits in the
/// operating system.
final class ObserverThread extends Thread implements KernelThread {

    /// Commands at the same time. More are sent away.
    static final int MAX_SESSIONS = 16;

    private static final long PAUSE_MILLIS = 1_000;

    private static @Nullable ObserverThread current; // guarded by the class's monitor

    private final String observe;
    private final AtomicInteger sessions = new AtomicInteger();
    private volatile @Nullable ObserverSocket socket;

    private ObserverThread(String observe) {
        super(null, null, "heddle-observer", 0, /* inheritInheritableThreadLocals= */ false);
        this.observe = observe;
        setDaemon(true);
    }

    /// Opens the socket, unless it is open. Any thread.
    ///
    /// @param observe the setting: `on` or a directory
    static synchronized void wake(String observe) {
        if (current != null && current.isAlive()) {
            ObserverSocket open = current.socket;
            if (open == null || open.isInPlace()) {
                return;
            }
            open.close(); // the file was removed; no command can find the socket
        }
        current = new ObserverThread(observe);
        current.start();
    }

    @Override
    public void run() {
        ObserverSocket open = ObserverSocket.open(observe);
        if (open == null) {
            return; // the command that asked says what may be the reason
        }
        socket = open;
        try {
            acceptAll(open);
        } catch (InterruptedException _) {
            // no code interrupts this thread; if one did, observing ends
        } finally {
            open.close();
        }
    }

    private void acceptAll(ObserverSocket open) throws InterruptedException {
        while (true) {
            try {
                SocketChannel channel = open.accept();
                if (channel != null) {
                    begin(channel);
                }
            } catch (ClosedChannelException _) {
                return;
            } catch (IOException | OutOfMemoryError _) {
                Thread.sleep(PAUSE_MILLIS); // no file descriptor or thread to be had: the command waits
            }
        }
    }

    private void begin(SocketChannel channel) throws IOException {
        boolean isWelcome = sessions.incrementAndGet() <= MAX_SESSIONS;
        boolean begun = false;
        try {
            new ObserverSession(channel, isWelcome, sessions).start();
            begun = true;
        } finally {
            if (!begun) {
                sessions.decrementAndGet();
                channel.close();
            }
        }
    }
}
