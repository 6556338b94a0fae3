// healthy: A Helidon server, a virtual thread for each connection, and 32 clients that request items without a pause.
// jars: tools/servers/plain
// load: yes

/** Starts the shop of tools/servers on the port of its argument. */
public final class Helidon {

    public static void main(String[] args) {
        shop.Helidon.main(args);
    }
}
