import static dev.heddle.Select.receive;
import static dev.heddle.Select.select;
import static dev.heddle.Select.timeout;

import dev.heddle.Chan;
import dev.heddle.Go;
import java.time.Duration;

/// A search that asks three replicas and takes the first answer, after a pipeline that squares numbers.
public class Channels {

    public static void main(String[] args) throws InterruptedException {
        Chan<Integer> numbers = Chan.make();
        Chan<Integer> squares = Chan.make();
        Go.go(() -> {
            for (int i = 1; i <= 5; i++) {
                numbers.send(i);
            }
            numbers.close();
        });
        Go.go(() -> {
            for (int number : numbers) { // until it is closed
                squares.send(number * number);
            }
            squares.close();
        });
        for (int square : squares) {
            System.out.println(square);
        }

        Chan<String> answers = Chan.make(3); // room for all answers: no sender is left waiting
        for (String replica : new String[] {"a", "b", "c"}) {
            Go.go(() -> answers.send("found by replica " + replica));
        }
        select(
                receive(answers, answer -> System.out.println(answer)),
                timeout(Duration.ofSeconds(10), () -> System.out.println("too slow")));
    }
}
