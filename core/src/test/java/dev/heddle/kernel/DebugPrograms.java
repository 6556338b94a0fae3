package dev.heddle.kernel;

import dev.heddle.Chan;
import dev.heddle.Go;
import java.io.IOException;

/// Main classes of child JVMs for tests of HEDDLE_DEBUG.
final class DebugPrograms {

    private DebugPrograms() {}

    /// Two goroutines that wait, until a line comes.
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] args) throws IOException {
            Chan<Integer> never = Chan.make();
            Go.go(never::receive);
            Go.go(never::receive);
            System.out.println("ready");
            int _ = System.in.read();
        }
    }
}
