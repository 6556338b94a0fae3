import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.LockSupport;

/// A program with one problem, for trying the alerts of docs/operate: `java Trouble.java PROBLEM [FIFO]`.
public final class Trouble {

    private static volatile long result;

    private Trouble() {}

    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
            case "healthy" -> start(200, Trouble::serve);
            case "blocked" -> start(24, () -> open(args[1]));
            case "pinned" -> start(4, Trouble::parkInInitialiser);
            case "slow" -> start(200, Trouble::computeInTurns);
            case "hogs", "throttled" -> {
                start(4, Trouble::compute);
                start(20, Trouble::serve);
            }
            case "growing" -> growForEver();
            case "refused" -> blockMoreAndMore(args[1]);
            default -> throw new IllegalArgumentException("there is no problem '" + args[0] + "'");
        }
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void start(int threads, Runnable body) {
        for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(body);
        }
    }

    /// A request now and then, with a little work.
    private static void serve() {
        while (true) {
            pause(20);
            spin(20);
        }
    }

    private static void compute() {
        while (true) {
            spin(100_000);
        }
    }

    /// Each sleeps briefly after 5 ms of computing, and 200 of them then wait for their turn.
    private static void computeInTurns() {
        while (true) {
            spin(5_000);
            pause(1);
        }
    }

    private static void growForEver() {
        while (true) {
            start(10, LockSupport::park);
            pause(20);
        }
    }

    private static void blockMoreAndMore(String fifo) {
        while (true) {
            start(1, () -> open(fifo));
            pause(200);
        }
    }

    private static void open(String fifo) {
        try (FileInputStream in = new FileInputStream(fifo)) {
            result = in.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The frame of a class initialiser keeps its thread on the carrier.
    private static void parkInInitialiser() {
        try {
            Class<?> copy = new Copies().define();
            Class.forName(copy.getName(), /* initialize= */ true, copy.getClassLoader());
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

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
            super(Trouble.class.getClassLoader());
        }

        Class<?> define() throws IOException {
            try (InputStream in = Trouble.class.getResourceAsStream("Trouble$Parks.class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(null, bytes, 0, bytes.length);
            }
        }
    }

    private static void spin(long micros) {
        long end = System.nanoTime() + micros * 1_000;
        long sum = 0;
        while (System.nanoTime() < end) {
            sum += sum ^ end;
        }
        result = sum;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
