// problem: Every voucher takes its number from a remote counter while it holds one lock, so the vouchers are made one
//     after the other, at the pace of the network.
// place: Numbers.next
// place: Vouchers.issue
// remedy: Reserve a block of numbers by one call, and hand them out from memory.

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** Issues gift vouchers with a unique number, and checks vouchers at the till. */
public final class Vouchers {

    private final Numbers numbers;
    private final LongAdder issued = new LongAdder();
    private final LongAdder checked = new LongAdder();

    private Vouchers(int port) throws IOException {
        this.numbers = new Numbers(port);
    }

    String issue(String shop) throws IOException {
        String voucher = shop + "-" + Long.toString(numbers.next(), 36);
        issued.increment();
        return voucher;
    }

    boolean check(long number) throws InterruptedException {
        Thread.sleep(4); // the voucher database
        checked.increment();
        return Long.bitCount(number) % 2 == 0;
    }

    private static void countForever(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            socket.setTcpNoDelay(true);
            var in = new DataInputStream(socket.getInputStream());
            var out = new DataOutputStream(socket.getOutputStream());
            for (long number = 1; ; number++) {
                in.readByte();
                Thread.sleep(3); // the counter is stored on three machines
                out.writeLong(number);
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("the counter has ended: " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        var listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(() -> countForever(listener));
        var vouchers = new Vouchers(listener.getLocalPort());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 80; i++) {
                int shop = i;
                threads.submit(() -> {
                    while (!vouchers.issue("shop" + shop).isEmpty()) {
                        Thread.sleep(15);
                    }
                    return null;
                });
            }
            for (int i = 0; i < 40; i++) {
                int till = i;
                threads.submit(() -> {
                    for (long number = till; ; number += 40) {
                        vouchers.check(number);
                        Thread.sleep(20);
                    }
                });
            }
        }
    }
}

/** The numbers of vouchers come from a counter that all branches share. */
final class Numbers {

    private final ReentrantLock line = new ReentrantLock(true);
    private final DataInputStream in;
    private final DataOutputStream out;

    Numbers(int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    long next() throws IOException {
        line.lock();
        try {
            out.writeByte(1);
            return in.readLong();
        } finally {
            line.unlock();
        }
    }
}
