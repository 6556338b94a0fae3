package dev.heddle.cli;

/// Closes something also if a signal such as Ctrl-C ends the command.
final class ClosedAtExit implements AutoCloseable {

    private final Thread hook;

    /// @param resource is closed when the JVM ends, unless this object has been closed before
    ClosedAtExit(AutoCloseable resource) {
        hook = new Thread(
                () -> {
                    try {
                        resource.close();
                    } catch (Exception e) {
                        System.err.println("heddle: " + e.getMessage());
                    }
                },
                "heddle-exit");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// The caller closes the resource itself.
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // the JVM is ending, and the hook is at work
        }
    }
}
