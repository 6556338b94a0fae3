import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.send;

import dev.heddle.Chan;
import dev.heddle.Context;
import dev.heddle.Go;
import dev.heddle.ReceiveChan;
import dev.heddle.WaitGroup;
import java.util.List;

/// Stages connected by channels, with fan-out, fan-in and an early end. Run it by `./heddle run
/// examples/Pipeline.java`.
///
/// Every stage sends in a select with the context's `done`. When the consumer has enough, it cancels the context, and
/// all stages end instead of waiting for ever.
public class Pipeline {
    public static void main(String[] args) throws InterruptedException {
        try (var context = Context.background().withCancel()) {
            ReceiveChan<Long> numbers = count(context);
            ReceiveChan<Long> squares = merge(context, List.of(square(context, numbers), square(context, numbers)));
            long sum = 0;
            for (int i = 0; i < 100; i++) {
                sum += squares.receive();
            }
            System.out.println("the sum of 100 squares is at least 328350: " + (sum >= 328_350));
        }
    }

    /// The source: 0, 1, 2 and so on until the context is cancelled.
    private static ReceiveChan<Long> count(Context context) {
        Chan<Long> out = Chan.make();
        Go.go(() -> {
            var done = receive(context.done());
            for (long i = 0; select(send(out, i), done) != done; i++) {}
            out.close();
        });
        return out;
    }

    private static ReceiveChan<Long> square(Context context, ReceiveChan<Long> in) {
        Chan<Long> out = Chan.make();
        Go.go(() -> {
            var done = receive(context.done());
            for (long value : in) {
                if (select(send(out, value * value), done) == done) {
                    break;
                }
            }
            out.close();
        });
        return out;
    }

    private static ReceiveChan<Long> merge(Context context, List<ReceiveChan<Long>> all) {
        Chan<Long> out = Chan.make();
        var group = new WaitGroup();
        for (ReceiveChan<Long> in : all) {
            group.go(() -> {
                var done = receive(context.done());
                for (long value : in) {
                    if (select(send(out, value), done) == done) {
                        return;
                    }
                }
            });
        }
        Go.go(() -> {
            group.await();
            out.close();
        });
        return out;
    }
}
