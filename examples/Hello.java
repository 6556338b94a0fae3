import dev.heddle.Go;
import dev.heddle.WaitGroup;

/// Ten goroutines that say hello. Run it by `./heddle run examples/Hello.java`.
///
/// With one processor (`GOMAXPROCS=1 ./heddle run examples/Hello.java`) the last goroutine prints first and the others
/// follow in order, exactly as in Go: a new goroutine takes its processor's runnext slot, and the previous one moves to
/// the end of the queue.
public class Hello {

    public static void main(String[] args) throws InterruptedException {
        var group = new WaitGroup();
        group.go(() -> { // a goroutine that starts others, like main in Go
            for (int i = 0; i < 10; i++) {
                int number = i;
                group.go(() -> System.out.println("hello from goroutine " + number));
            }
        });
        group.await();
        System.out.println("all said, with GOMAXPROCS=" + Go.gomaxprocs(0));
    }
}
