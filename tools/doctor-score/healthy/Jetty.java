// healthy: A Jetty server, a virtual thread for each request, and 32 clients that request items without a pause.
// jars: tools/servers/plain
// load: yes

/** Starts the shop of tools/servers on the port of its argument. */
public final class Jetty {

    public static void main(String[] args) throws Exception {
        shop.Jetty.main(args);
    }
}
