/**
 * Go's scheduler for Java's virtual threads.
 *
 * <p>The module opens nothing. It uses packages of {@code java.base} that are not exported: the agent opens them to this
 * module, and a JVM without the agent needs the flags that {@code dev.heddle.internal.jdk.Access} names.
 */
module dev.heddle {
    requires java.instrument;
    requires java.management;
    requires jdk.httpserver; // metrics=PORT
    requires jdk.jfr; // sigquit=1
    requires jdk.management; // the heap dump of heddle leaks
    requires jdk.net; // the user at the other end of a socket
    requires static org.jspecify;

    exports dev.heddle;
    exports dev.heddle.agent;
    exports dev.heddle.management; // to every module: JMX refuses beans of a package that is exported to it alone
    exports dev.heddle.stats;
}
