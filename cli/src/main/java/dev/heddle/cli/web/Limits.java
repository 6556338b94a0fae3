package dev.heddle.cli.web;

/// What one client, or all of them together, may take from the server. The JDK's server has its limits in system
/// properties, which it reads when its first class is initialised.
final class Limits {

    static final int CONNECTIONS = 64;

    /// Connections that wait until they are accepted or refused. The system delays more of them by a second and
    /// more.
    static final int WAITING = 1024;

    static final int HEADERS = 64;
    static final int HEADER_BYTES = 16 * 1024;
    static final int REQUEST_SECONDS = 5;
    static final int RESPONSE_SECONDS = 60;
    static final int LAST_ANSWERS_SECONDS = 5;

    private Limits() {}

    static void set() {
        set("jdk.httpserver.maxConnections", CONNECTIONS);
        set("sun.net.httpserver.maxIdleConnections", CONNECTIONS);
        set("sun.net.httpserver.idleInterval", 2 * REQUEST_SECONDS);
        set("sun.net.httpserver.maxReqHeaders", HEADERS);
        set("sun.net.httpserver.maxReqHeaderSize", HEADER_BYTES);
        set("sun.net.httpserver.drainAmount", HEADER_BYTES);
        // In seconds: the JDK's documentation says milliseconds, but its code (ServerImpl.getTimeMillis) does not.
        set("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
        set("sun.net.httpserver.maxRspTime", RESPONSE_SECONDS);
    }

    private static void set(String property, int value) {
        System.setProperty(property, Integer.toString(value));
    }
}
