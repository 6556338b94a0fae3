package dev.heddle.testkit.secondset;

import dev.heddle.Chan;
import dev.heddle.Context;
import dev.heddle.Go;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Leak on cancellation: a read asks all replicas, takes the first answer and cancels the others. A replica that has
/// checked the context just before that sends an answer that nothing receives, and waits for ever.
final class ReplicatedStore {

    private final List<Map<String, String>> replicas = List.of(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
    private final int answersThatNeedNoReceiver;

    private ReplicatedStore(int answersThatNeedNoReceiver) {
        this.answersThatNeedNoReceiver = answersThatNeedNoReceiver;
    }

    static void broken() throws Exception {
        new ReplicatedStore(0).writeAndRead();
    }

    /// The correction: the channel has room for all answers.
    static void fixed() throws Exception {
        new ReplicatedStore(2).writeAndRead();
    }

    private void write(String key, String value) {
        for (Map<String, String> replica : replicas) {
            replica.put(key, value);
        }
    }

    private @Nullable String read(String key) throws InterruptedException {
        Chan<String> answers = Chan.make(answersThatNeedNoReceiver);
        try (var context = Context.background().withCancel()) {
            for (Map<String, String> replica : replicas) {
                Go.go(() -> answer(replica, key, context, answers));
            }
            return answers.receive();
        }
    }

    private static void answer(Map<String, String> replica, String key, Context context, Chan<String> answers)
            throws InterruptedException {
        String value = replica.getOrDefault(key, "");
        if (context.err() == null) {
            answers.send(value);
        }
    }

    private void writeAndRead() throws InterruptedException {
        write("colour", "green");
        String colour = read("colour");
        if (!"green".equals(colour)) {
            throw new AssertionError("the colour was read as " + colour);
        }
    }
}
