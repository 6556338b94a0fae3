// problem: The collector of deliveries is down and refuses connections. Each of 32 shippers tries again at once and
//     without end, and the loop of failing connects uses up the CPU.
// place: Shipper.deliver
// place: Collector.send
// remedy: Wait between the tries, longer each time and with some chance, and give up after a few (a circuit breaker).
// named: a loop of retries without a pause (many exceptions or connects in a second) at the place
// half: CPU-bound threads or a hot spot at the place, without the retries
// false: a deadlock, a lock, a pool, a slow peer, blocking I/O on a carrier as the cause
// shows: failures grows by more than 1,000 in a second, delivered stays 0
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;

public class Chandlery {

    record Delivery(String ship, int ropes) {}

    record Collector(InetSocketAddress address) {
        void send(Delivery delivery) throws IOException {
            try (Socket socket = new Socket()) {
                socket.connect(address, 500);
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.writeUTF(delivery.ship());
                out.writeInt(delivery.ropes());
            }
        }
    }

    static final class Shipper {
        private final Collector collector;
        private final BlockingQueue<Delivery> deliveries;
        private final LongAdder delivered;
        private final LongAdder failures;

        Shipper(
                Collector collector, BlockingQueue<Delivery> deliveries, LongAdder delivered, LongAdder failures) {
            this.collector = collector;
            this.deliveries = deliveries;
            this.delivered = delivered;
            this.failures = failures;
        }

        void work() {
            try {
                while (true) {
                    deliver(deliveries.take());
                    delivered.increment();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void deliver(Delivery delivery) {
            while (true) {
                try {
                    collector.send(delivery);
                    return;
                } catch (IOException e) {
                    failures.increment();
                }
            }
        }
    }

    private static int closedPort() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return server.getLocalPort();
        }
    }

    private static void sell(BlockingQueue<Delivery> deliveries, LongAdder sold) {
        try {
            for (int i = 0; ; i++) {
                Thread.sleep(25);
                sold.increment();
                if (deliveries.size() < 500) {
                    deliveries.add(new Delivery("ship " + i, i % 40));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        Collector collector = new Collector(new InetSocketAddress(InetAddress.getLoopbackAddress(), closedPort()));
        BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
        LongAdder delivered = new LongAdder();
        LongAdder failures = new LongAdder();
        LongAdder sold = new LongAdder();
        for (int i = 0; i < 32; i++) {
            Shipper shipper = new Shipper(collector, deliveries, delivered, failures);
            Thread.ofVirtual().name("shipper-" + i).start(shipper::work);
        }
        for (int i = 0; i < 6; i++) {
            Thread.ofVirtual().name("till-" + i).start(() -> sell(deliveries, sold));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.println("delivered " + delivered + ", failures " + failures + ", sold " + sold);
        }
    }
}
