// problem: A class reads its settings from a server that does not answer inside its static initializer; every thread
//     that needs the class waits for it and blocks its carrier.
// place: Codec.<clinit>
// place: Codec.readProfile
// place: Thumbnailer.shrink
// remedy: Do no I/O in a static initializer: load the settings before the traffic starts, with a time-out.

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Makes small pictures. The first request loads the codec. */
public final class Thumbnailer {

    static ServerSocket profiles;

    /** Its quality comes from the profile server. */
    static final class Codec {
        static final int QUALITY = readProfile();

        private static int readProfile() {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), profiles.getLocalPort())) {
                socket.getOutputStream().write('?');
                return socket.getInputStream().read();
            } catch (IOException e) {
                return 80;
            }
        }

        static int encode(int[] pixels) {
            int sum = 0;
            for (int pixel : pixels) {
                sum = sum * 31 + pixel * QUALITY;
            }
            return sum;
        }
    }

    private static final LongAdder made = new LongAdder();

    private static int shrink(int picture) {
        int[] pixels = new int[64];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = picture * i;
        }
        int code = Codec.encode(pixels);
        made.increment();
        return code;
    }

    public static void main(String[] args) throws Exception {
        profiles = new ServerSocket(0, 5, InetAddress.getLoopbackAddress()); // accepts nothing: the server hangs
        var requests = Executors.newVirtualThreadPerTaskExecutor();
        for (int i = 0; ; i++) {
            int picture = i;
            if (i < 50) {
                requests.submit(() -> shrink(picture));
            }
            requests.submit(() -> picture + 1); // the health check answers at once
            Thread.sleep(20);
        }
    }
}
