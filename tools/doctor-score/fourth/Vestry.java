// problem: The context of a request is an inheritable thread-local whose value is copied for each new thread, with the
//     64 KB of the parish's settings. Each of 3,000 listeners that wait in threads of their own keeps a copy.
// place: Context.childValue
// place: Listeners.open
// place: Listeners.listen
// remedy: Share the settings (they never change) and copy only what a thread changes; use a ScopedValue; or start
//     listeners without inheritable thread-locals.
// named: thread-locals (inherited copies) keep much memory in each of many threads, at the place
// half: much memory for each thread or a growing heap, without the thread-locals; or thread-locals without the place
// false: a leak of threads, a deadlock, CPU, deep stacks, a lock
// shows: copies 3000, with heap above 180 MB
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class Vestry {

    static final class Settings {
        private final byte[] text;
        private String user = "sexton";

        Settings(byte[] text) {
            this.text = text;
        }

        Settings copy() {
            Settings copy = new Settings(text.clone());
            copy.user = user;
            return copy;
        }
    }

    static final class Context extends InheritableThreadLocal<Settings> {
        private final LongAdder copies = new LongAdder();

        @Override
        protected Settings childValue(Settings parent) {
            if (parent == null) {
                return null;
            }
            copies.increment();
            return parent.copy();
        }
    }

    static final class Listeners {
        private final Context context;
        private final LongAdder heard = new LongAdder();
        private final BlockingQueue<BlockingQueue<String>> open = new LinkedBlockingQueue<>();

        Listeners(Context context) {
            this.context = context;
        }

        void open(int number) {
            BlockingQueue<String> channel = new LinkedBlockingQueue<>(8);
            open.add(channel);
            Thread.ofVirtual().name("listener-" + number).start(() -> listen(channel));
        }

        private void listen(BlockingQueue<String> channel) {
            try {
                while (true) {
                    String message = channel.take();
                    if (message.startsWith(context.get().user)) {
                        heard.increment();
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void tell(String message) {
            int skip = ThreadLocalRandom.current().nextInt(20);
            int i = 0;
            for (BlockingQueue<String> channel : open) {
                if (i++ % 20 == skip) {
                    channel.offer(message);
                }
            }
        }
    }

    private static void preach(Listeners listeners) {
        try {
            while (true) {
                Thread.sleep(100);
                listeners.tell("sexton rings");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Context context = new Context();
        Listeners listeners = new Listeners(context);
        context.set(new Settings(new byte[64 * 1024]));
        for (int i = 0; i < 3_000; i++) {
            listeners.open(i);
        }
        context.remove();
        Thread.ofVirtual().name("pulpit").start(() -> preach(listeners));
        while (true) {
            Thread.sleep(1_000);
            Runtime runtime = Runtime.getRuntime();
            System.out.println("copies " + context.copies + ", heard " + listeners.heard + ", heap "
                    + (runtime.totalMemory() - runtime.freeMemory()) / 1_000_000 + " MB");
        }
    }
}
