package shop;

import io.helidon.webserver.WebServer;

/// Helidon, a virtual thread for each connection: `Helidon PORT`.
public final class Helidon {

    private Helidon() {}

    public static void main(String[] args) {
        WebServer.builder()
                .port(Integer.parseInt(args[0]))
                .routing(routing -> routing.get(
                        "/*", (request, response) -> response.send(Goods.answer(request.path().path()))))
                .build()
                .start();
        System.out.println("shop open");
    }
}
