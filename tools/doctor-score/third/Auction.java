// problem: A bid is written to all subscribers' sockets while the room's monitor is held. One subscriber does not
//     read; when its buffers are full the write blocks, and with it every bid and every new subscriber.
// place: Room.publish
// remedy: Give each subscriber a bounded queue and a writer of its own, and drop a subscriber that is too far
//     behind.
// named: the monitor is held by a thread that writes to a socket whose peer does not read, at the place
// half: the monitor is contended or stuck, without the socket; or a write that blocks, without the monitor
// false: a deadlock, a lost unlock, slow bids, CPU
// shows: bids stays the same
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public class Auction {

    static final class Room {
        private final List<Socket> subscribers = new ArrayList<>();
        private final AtomicInteger bids = new AtomicInteger();

        synchronized void subscribe(Socket socket) {
            subscribers.add(socket);
        }

        synchronized void publish(String bidder, long cents) throws IOException {
            String lot = "violin ".repeat(110);
            String event = "{\"bidder\":\"%s\",\"cents\":%d,\"lot\":\"%s\"}%n".formatted(bidder, cents, lot);
            byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
            for (Socket subscriber : subscribers) {
                subscriber.getOutputStream().write(bytes);
            }
            bids.incrementAndGet();
        }
    }

    private static void serve(ServerSocket server, Room room) {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setSendBufferSize(16_384);
                Thread.ofVirtual().name("welcome").start(() -> room.subscribe(socket));
            }
        } catch (IOException e) {
            System.out.println("the room is closed: " + e.getMessage());
        }
    }

    private static void bid(Room room, String bidder) {
        try {
            for (long cents = 100; ; cents += 50) {
                room.publish(bidder, cents);
                Thread.sleep(40);
            }
        } catch (IOException e) {
            System.out.println(bidder + " stops: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void listen(InetSocketAddress address, boolean isAwake) {
        try (var socket = new Socket()) {
            socket.setReceiveBufferSize(16_384);
            socket.connect(address);
            InputStream events = socket.getInputStream();
            while (isAwake && events.skip(4_096) > 0) {}
            Thread.sleep(Long.MAX_VALUE); // a tablet in a pocket: connected, but asleep
        } catch (IOException | InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        var room = new Room();
        var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
        Thread.ofVirtual().name("door").start(() -> serve(server, room));
        for (int i = 0; i < 10; i++) {
            boolean isAwake = i != 4;
            Thread.ofVirtual().name("subscriber-" + i).start(() -> listen(address, isAwake));
        }
        for (int i = 0; i < 14; i++) {
            String bidder = "bidder-" + i;
            Thread.ofVirtual().name(bidder).start(() -> bid(room, bidder));
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf("bids %d%n", room.bids.get());
        }
    }
}
