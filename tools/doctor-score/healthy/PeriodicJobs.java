// healthy: Some hundred jobs with periods from 10 ms to an hour, beside threads that wait for what rarely or never
//     happens: a connection, a message, the end of the program.

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A server at night: heartbeats, cache refreshes, expiry, statistics, and idle listeners. */
public final class PeriodicJobs {

    private static final LongAdder done = new LongAdder();

    private static void repeat(long millis) {
        try {
            while (true) {
                Thread.sleep(millis);
                work();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void work() {
        long x = 1;
        for (int i = 0; i < 20_000; i++) {
            x = x * 31 + i;
        }
        done.add(x & 1);
    }

    private static void acceptAdmins(ServerSocket listener) {
        while (true) {
            try {
                listener.accept().close();
            } catch (IOException e) {
                return;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        var stop = new CountDownLatch(1);
        var mail = new LinkedBlockingQueue<String>();
        var admin = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(() -> acceptAdmins(admin));
        for (int i = 0; i < 3; i++) {
            Thread.startVirtualThread(() -> {
                try {
                    while (true) {
                        System.out.println("mail " + mail.take());
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        for (int i = 0; i < 200; i++) {
            long millis = i < 20 ? 10 : i < 100 ? 100 + i : i < 190 ? 1_000 + 10L * i : 3_600_000;
            Thread.startVirtualThread(() -> repeat(millis));
        }
        var scheduler = Executors.newScheduledThreadPool(1, Thread.ofVirtual().factory());
        scheduler.scheduleAtFixedRate(PeriodicJobs::work, 0, 50, TimeUnit.MILLISECONDS);
        scheduler.scheduleWithFixedDelay(PeriodicJobs::work, 1, 5, TimeUnit.SECONDS);
        Thread.ofVirtual().start(() -> {
            try {
                stop.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }).join();
    }
}
