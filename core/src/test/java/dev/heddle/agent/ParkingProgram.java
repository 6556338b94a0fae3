package dev.heddle.agent;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// A program that knows nothing of Heddle. Its virtual threads wait in the JDK: for a queue, a socket and a while.
final class ParkingProgram {

    private static final BlockingQueue<Integer> QUEUE = new ArrayBlockingQueue<>(1);

    private ParkingProgram() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Thread taker = Thread.ofVirtual().start(ParkingProgram::takes);
        while (taker.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        QUEUE.put(1);
        taker.join();
        Thread.ofVirtual().start(ParkingProgram::naps).join();
        try (ServerSocket server = new ServerSocket(0)) {
            Thread reader = Thread.ofVirtual().start(() -> reads(server.getLocalPort()));
            try (Socket socket = server.accept()) {
                while (reader.getState() == Thread.State.RUNNABLE) {
                    Thread.onSpinWait();
                }
                socket.getOutputStream().write(1);
                reader.join();
            }
        }
        System.out.println("done");
    }

    private static void takes() {
        try {
            int _ = QUEUE.take();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void naps() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void reads(int port) {
        try (Socket socket = new Socket("localhost", port)) {
            int _ = socket.getInputStream().read();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
