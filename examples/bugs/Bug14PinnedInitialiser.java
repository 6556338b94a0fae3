import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Bug 14: a class initialiser that waits.
///
/// **Symptom.** The first requests after the start hang, together with the carrier threads that they run on. **Cause.** A
/// static initialiser reads the configuration from a server. While it waits, every thread that touches the class waits
/// for it inside the JVM, where a virtual thread keeps its carrier (it is *pinned*). **Fix.** Do slow things before the
/// class is needed, in `main`, and give the class the result.
///
/// `./heddle run examples/bugs/Bug14PinnedInitialiser.java broken`, then `fixed`; `-Dseconds=N` before the file.
public class Bug14PinnedInitialiser {
    private static final int REQUESTS = 30;

    private static final LongAdder done = new LongAdder();

    /// What the requests need.
    static final class Configuration {
        static final String NAME = load();

        private static String load() {
            try {
                Thread.sleep(60_000); // stands for a server that does not answer
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "production";
        }
    }

    public static void main(String[] args) throws Throwable {
        boolean fixed = List.of(args).contains("fixed");
        for (int i = 0; i < REQUESTS; i++) {
            Thread.startVirtualThread(() -> serve(fixed));
        }
        Thread.sleep(Integer.getInteger("seconds", 3) * 1_000L);
        System.out.printf("%s: %,d requests done%n", fixed ? "fixed" : "broken", done.sum());
        System.exit(0);
    }

    private static void serve(boolean fixed) {
        try {
            String name = fixed ? "production" : Configuration.NAME;
            while (name != null) {
                Thread.sleep(10);
                done.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
