// problem: A backend accepts connections and never answers, and the calls have no read time-out, so ever more
//     requests wait for it.
// place: Backend.call
// place: Gateway.handle
// remedy: Set a read time-out on the socket and stop calling a backend that does not answer (circuit breaker).

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Routes 200 requests a second to three backends. One of them has stopped answering. */
public final class Gateway {

    static final class Backend {
        private final int port;

        Backend(int port) {
            this.port = port;
        }

        int call(int request) throws IOException {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(request & 0x7f);
                InputStream in = socket.getInputStream();
                return in.read();
            }
        }

        /** Platform threads: the backends are other processes. */
        static Backend start(boolean answers) throws IOException {
            var listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
            List<Socket> silent = Collections.synchronizedList(new ArrayList<>());
            Thread.ofPlatform().daemon().start(() -> {
                while (true) {
                    try {
                        Socket socket = listener.accept();
                        if (answers) {
                            socket.getOutputStream().write(socket.getInputStream().read());
                            socket.close();
                        } else {
                            silent.add(socket);
                        }
                    } catch (IOException e) {
                        System.err.println(e);
                    }
                }
            });
            return new Backend(listener.getLocalPort());
        }
    }

    private final List<Backend> backends;
    private final LongAdder answered = new LongAdder();

    Gateway(List<Backend> backends) {
        this.backends = backends;
    }

    int handle(int request) throws IOException {
        int answer = backends.get(request % backends.size()).call(request);
        answered.increment();
        return answer;
    }

    public static void main(String[] args) throws Exception {
        var gateway = new Gateway(List.of(Backend.start(true), Backend.start(true), Backend.start(false)));
        var requests = Executors.newVirtualThreadPerTaskExecutor();
        for (int i = 0; ; i++) {
            int request = i;
            requests.submit(() -> gateway.handle(request));
            Thread.sleep(i < 9_000 ? 5 : 1_000); // then the load balancer has noticed
        }
    }
}
