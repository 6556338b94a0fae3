package dev.heddle.cli;

import dev.heddle.management.Schedulers;
import dev.heddle.management.SchedulersMXBean;
import dev.heddle.stats.SchedulerSnapshot;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMX;
import javax.management.ObjectName;

/// Virtual threads that block their carriers for ever: some open a FIFO that has no writer, others park in a class
/// initialiser. For each line of standard input it prints what the MXBean says: blocked carriers, and those pinned.
final class BlockedCarriers {

    private BlockedCarriers() {}

    /// @param args the FIFO, how many threads open it, and how many are pinned
    public static void main(String[] args) throws Exception {
        Schedulers.register();
        SchedulersMXBean bean = JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(),
                new ObjectName(Schedulers.OBJECT_NAME),
                SchedulersMXBean.class);
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            Thread.startVirtualThread(() -> openForEver(args[0]));
        }
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            Thread.startVirtualThread(BlockedCarriers::parkInInitialiser);
        }
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (in.readLine() != null) {
            SchedulerSnapshot snapshot = bean.snapshot("heddle");
            System.out.println(snapshot.blockedMachines() + " " + snapshot.pinnedMachines());
        }
    }

    private static void openForEver(String fifo) {
        try (FileInputStream in = new FileInputStream(fifo)) {
            throw new IllegalStateException("opened, and read " + in.read());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void parkInInitialiser() {
        try {
            Class<?> type = new Copies().define();
            Class.forName(type.getName(), /* initialize= */ true, type.getClassLoader());
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The frame of a class initialiser keeps its thread on the carrier.
    static final class Parks {
        static {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
        }
    }

    /// Each instance has a class of its own to initialise.
    private static final class Copies extends ClassLoader {

        Copies() {
            super(BlockedCarriers.class.getClassLoader());
        }

        Class<?> define() throws IOException {
            try (InputStream in = BlockedCarriers.class.getResourceAsStream("BlockedCarriers$Parks.class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(null, bytes, 0, bytes.length);
            }
        }
    }
}
