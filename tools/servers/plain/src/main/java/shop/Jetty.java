package shop;

import java.util.concurrent.Executors;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// Jetty, a virtual thread for each request: `Jetty PORT`.
public final class Jetty {

    private Jetty() {}

    public static void main(String[] args) throws Exception {
        var pool = new QueuedThreadPool();
        pool.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
        var server = new Server(pool);
        var connector = new ServerConnector(server);
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() { // may block, so it runs in a virtual thread
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Content.Sink.write(response, true, Goods.answer(request.getHttpURI().getPath()), callback);
                return true;
            }
        });
        server.start();
        System.out.println("shop open");
        server.join();
    }
}
