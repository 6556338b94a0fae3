package dev.heddle.internal.jdk;

import java.lang.management.ManagementFactory;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.ObjectName;

/// Says whether the JVM keeps its notes of mounts, before and after another agent (the argument) has been loaded, while
/// threads mount and unmount all the time.
public final class NoticesProgram {

    private NoticesProgram() {}

    public static void main(String[] args) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong rounds = new AtomicLong();
        Thread[] players = new Thread[4];
        for (int i = 0; i < players.length; i += 2) {
            SynchronousQueue<Long> there = new SynchronousQueue<>();
            SynchronousQueue<Long> back = new SynchronousQueue<>();
            players[i] = Thread.startVirtualThread(() -> play(there, back, stop, rounds));
            players[i + 1] = Thread.startVirtualThread(() -> answer(there, back));
        }
        awaitMore(rounds);
        System.out.println("stopped: " + MountNotifications.areStopped());
        if (args.length > 0) {
            Thread loader = new Thread(() -> load(args), "loader"); // not the main one: as if attached from outside
            loader.start();
            loader.join();
            awaitMore(rounds);
            System.out.println("stopped, with the other agent: " + MountNotifications.areStopped());
        }
        stop.set(true);
        for (Thread player : players) {
            player.join();
        }
        System.out.println("all ended");
    }

    private static void load(String[] agent) {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "jvmtiAgentLoad",
                            new Object[] {agent},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitMore(AtomicLong rounds) throws InterruptedException {
        long enough = rounds.get() + 10_000;
        while (rounds.get() < enough) {
            Thread.sleep(1);
        }
    }

    private static void play(
            SynchronousQueue<Long> there, SynchronousQueue<Long> back, AtomicBoolean stop, AtomicLong rounds) {
        try {
            while (!stop.get()) {
                there.put(rounds.get());
                back.take();
                rounds.incrementAndGet();
            }
            there.put(-1L);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(SynchronousQueue<Long> there, SynchronousQueue<Long> back) {
        try {
            Long round;
            while ((round = there.take()) >= 0) {
                back.offer(round, 1, TimeUnit.DAYS);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
