// healthy: A Spring Boot shop with virtual threads, Hikari and H2, and 32 clients that request items without a pause.
// jars: tools/servers/spring
// load: yes

/** Starts the shop of tools/servers on the port of its argument. */
public final class Spring {

    public static void main(String[] args) {
        shop.Shop.main(new String[] {
            "--server.port=" + args[0],
            "--spring.threads.virtual.enabled=true",
            "--spring.datasource.url=jdbc:h2:mem:shop",
            "--spring.main.banner-mode=off"
        });
    }
}
