// problem: A reply with an error status is logged and dropped, and its future is never completed. Each caller waits
//     without a time limit, so that one error after another takes a caller out of service, until none is left.
// place: Line.call
// place: Line.receive
// remedy: Complete the future exceptionally for error replies, and give each call a time limit (orTimeout).
// named: callers wait for futures that nothing completes (for ever, or without a time limit), at one of the places
// half: threads that make no progress, without saying that they wait for a reply or completion
// false: a slow peer, a full channel, a leak of the receiver, a lock
// shows: replies stays the same, and waiting is 48
import dev.heddle.Chan;
import dev.heddle.Go;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

public class Telegraph {

    record Message(long id, String text) {}

    record Reply(long id, int status, String text) {}

    /// The other end: it answers everything, some of it with an error.
    static void peer(Chan<Message> in, Chan<Reply> out) throws InterruptedException {
        for (Message message : in) {
            boolean isBad = message.id() % 40 == 17;
            out.send(new Reply(message.id(), isBad ? 503 : 200, "STOP " + message.text()));
        }
    }

    static final class Line {
        private final Chan<Message> out = Chan.make(32);
        private final Chan<Reply> in = Chan.make(32);
        private final Map<Long, CompletableFuture<String>> pending = new ConcurrentHashMap<>();
        private final AtomicLong ids = new AtomicLong();
        private final AtomicLong replies = new AtomicLong();
        private final AtomicLong errors = new AtomicLong();

        Line() {
            Go.go(() -> peer(out, in));
            Go.go(this::receive);
        }

        String call(String text) throws InterruptedException {
            long id = ids.incrementAndGet();
            var answer = new CompletableFuture<String>();
            pending.put(id, answer);
            out.send(new Message(id, text));
            return answer.join();
        }

        private void receive() throws InterruptedException {
            for (Reply reply : in) {
                if (reply.status() != 200) {
                    errors.incrementAndGet();
                    continue; // the error count is on the dashboard
                }
                CompletableFuture<String> answer = pending.remove(reply.id());
                if (answer != null) {
                    replies.incrementAndGet();
                    answer.complete(reply.text());
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var line = new Line();
        for (int i = 0; i < 48; i++) {
            int office = i;
            Go.go(() -> {
                for (int n = 0; ; n++) {
                    line.call("office " + office + " message " + n);
                    Thread.sleep(20);
                }
            });
        }
        while (true) {
            Thread.sleep(1_000);
            System.out.printf(
                    "replies %d, errors %d, waiting %d%n",
                    line.replies.get(), line.errors.get(), line.pending.size());
        }
    }
}
