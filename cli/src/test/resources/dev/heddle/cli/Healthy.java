import dev.heddle.Chan;
import dev.heddle.Go;
import dev.heddle.Scheduler;
import dev.heddle.WaitGroup;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.ReentrantLock;

/// Programs with which nothing is wrong, though each looks a little like one of the bugs: the doctor must be silent.
public class Healthy {
    private static volatile long sink;

    public static void main(String[] args) throws Throwable {
        switch (args[0]) {
            case "pingPong" -> pingPong(); // all switches, two goroutines that are always busy
            case "skynet" -> forEver(() -> sink = skynet(100_000)); // hundreds of thousands of goroutines, many steals
            case "spawn" -> forEver(Healthy::spawn); // a million a second that end at once
            case "pipeline" -> pipeline(); // stages that wait for each other, full channels
            case "echo" -> echo(); // sockets
            case "idle" -> idle(); // a server that nobody calls
            case "locks" -> locks(); // a lock that all want, held for microseconds
            case "batch" -> batch(); // a scheduler of its own that computes on all processors, in short tasks
            default -> throw new IllegalArgumentException(args[0]);
        }
        Thread.sleep(300_000);
    }

    private static void forEver(Go.Body body) {
        Go.go(() -> {
            while (true) {
                body.run();
            }
        });
    }

    private static void pingPong() {
        Chan<Integer> there = Chan.make();
        Chan<Integer> back = Chan.make();
        forEver(() -> back.send(there.receive() + 1));
        forEver(() -> {
            there.send(1);
            sink = back.receive();
        });
    }

    private static long skynet(int size) throws InterruptedException {
        if (size <= 1) {
            return size;
        }
        Chan<Long> sums = Chan.make(10);
        for (int i = 0; i < 10; i++) {
            Go.go(() -> sums.send(skynet(size / 10)));
        }
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += sums.receive();
        }
        return sum;
    }

    private static void spawn() throws InterruptedException {
        var group = new WaitGroup();
        for (int i = 0; i < 10_000; i++) {
            group.go(() -> sink++);
        }
        group.await();
    }

    private static void pipeline() {
        Chan<Integer> numbers = Chan.make(10);
        Chan<Integer> squares = Chan.make(10);
        forEver(() -> numbers.send(7));
        for (int i = 0; i < 8; i++) {
            forEver(() -> {
                int number = numbers.receive();
                squares.send(number * number);
            });
        }
        forEver(() -> sink += squares.receive());
    }

    private static void echo() throws Exception {
        var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        forEver(() -> {
            Socket socket = server.accept();
            forEver(() -> echoOne(socket));
        });
        for (int i = 0; i < 16; i++) {
            var client = new Socket(server.getInetAddress(), server.getLocalPort());
            forEver(() -> {
                client.getOutputStream().write(1);
                sink += client.getInputStream().read();
            });
        }
    }

    private static void echoOne(Socket socket) throws Exception {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        out.write(in.read());
    }

    private static void idle() {
        Chan<Integer> requests = Chan.make();
        var group = new WaitGroup();
        for (int i = 0; i < 50; i++) {
            group.go(() -> {
                for (int request : requests) {
                    sink = request;
                }
            });
        }
        Go.go(group::await);
        forEver(() -> Thread.sleep(1_000));
    }

    private static void locks() {
        var lock = new ReentrantLock();
        for (int i = 0; i < 8; i++) {
            forEver(() -> {
                for (int times = 0; times < 100; times++) {
                    lock.lock();
                    try {
                        sink++;
                    } finally {
                        lock.unlock();
                    }
                }
                Thread.sleep(1);
            });
        }
    }

    private static void batch() {
        Scheduler batch = Scheduler.builder().name("batch").build();
        for (int i = 0; i < 4; i++) {
            batch.go(() -> {
                while (true) {
                    var group = new WaitGroup();
                    for (int task = 0; task < 100; task++) {
                        group.go(() -> {
                            long state = 1;
                            for (int round = 0; round < 50_000; round++) {
                                state = state * 6364136223846793005L + 1442695040888963407L;
                            }
                            sink = state;
                        });
                    }
                    group.await();
                }
            });
        }
    }
}
