// problem: A pilot asks for the tide by a datagram and waits for the answer without a time limit; datagrams get lost,
//     so one pilot after the other waits forever.
// place: TideClient.ask
// place: Harbour.guide
// remedy: Set a time-out on the socket (setSoTimeout), and repeat the question when it passes.

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Guides ships through a harbour. The tide service is asked over UDP. */
public final class Harbour {

    private final SocketAddress tides;
    private final LongAdder guided = new LongAdder();
    private final LongAdder berths = new LongAdder();

    private Harbour(SocketAddress tides) {
        this.tides = tides;
    }

    void guide(int ship) throws IOException {
        try (var client = new TideClient(tides)) {
            if (client.ask(ship) > 3) {
                guided.increment();
            }
        }
    }

    void findBerth(int ship) throws InterruptedException {
        Thread.sleep(5); // the plan of the quays
        berths.add(ship % 2);
    }

    /** The tide service. It answers most questions; the network loses the others. */
    private static void answerAll(DatagramSocket socket) {
        try {
            var packet = new DatagramPacket(new byte[16], 16);
            while (true) {
                socket.receive(packet);
                packet.getData()[0] = 4;
                if (ThreadLocalRandom.current().nextInt(40) != 0) {
                    socket.send(packet);
                }
            }
        } catch (IOException e) {
            System.err.println("the tide service has ended: " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        try (var service = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Thread.ofPlatform().daemon().start(() -> answerAll(service));
            var harbour = new Harbour(service.getLocalSocketAddress());
            for (int i = 0; i < 50; i++) {
                int ship = i;
                threads.submit(() -> {
                    while (true) {
                        harbour.guide(ship);
                        Thread.sleep(15);
                    }
                });
                threads.submit(() -> {
                    while (true) {
                        harbour.findBerth(ship);
                        Thread.sleep(15);
                    }
                });
            }
        }
    }
}

/** Asks one question at a time. */
final class TideClient implements AutoCloseable {

    private final DatagramSocket socket;

    TideClient(SocketAddress service) throws IOException {
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        socket.connect(service);
    }

    /** Returns the depth of the water, in metres. */
    int ask(int ship) throws IOException {
        var packet = new DatagramPacket(new byte[] {0, (byte) ship}, 2);
        socket.send(packet);
        socket.receive(packet);
        return packet.getData()[0];
    }

    @Override
    public void close() {
        socket.close();
    }
}
