package stranger;

/// Prints the class of the thread that runs a virtual thread.
public final class Main {

    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        Thread.startVirtualThread(Main::say).join();
    }

    /// The carrier of the current thread shows in the text of a mounted virtual thread.
    private static void say() {
        String carrier = Thread.currentThread().toString().replaceFirst(".*@", "");
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals(carrier)) {
                System.out.println("carrier: " + thread.getClass().getName());
            }
        }
    }
}
