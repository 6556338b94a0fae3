package dev.heddle.bench.peer;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/// A peer on the JVM. One argument: the class of its [Idiom].
///
/// The input has lines `run NAME SIZE WIDTH`. The answer to each is a line: `ok figure=value ...`, `unsupported`, or
/// `failed` and the reason. During a run a program may send a question to its caller in a line, and receives a line as
/// the answer. The Go peer uses the same protocol.
public final class PeerMain {

    private final Idiom idiom;
    private final BufferedReader in;
    private final PrintStream out;
    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    PeerMain(Idiom idiom, BufferedReader in, PrintStream out) {
        this.idiom = idiom;
        this.in = in;
        this.out = out;
    }

    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        Idiom idiom = Class.forName(args[0])
                .asSubclass(Idiom.class)
                .getDeclaredConstructor()
                .newInstance();
        Scraper.startIfWanted();
        new PeerMain(idiom, new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), System.out)
                .serve();
        System.exit(0); // stops whatever the workloads left running
    }

    /// Answers requests until the input ends.
    void serve() throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(answer(line));
            out.flush();
        }
    }

    private String answer(String line) {
        String[] words = line.split(" ", -1);
        Program program = idiom.programs().get(words[1]);
        if (program == null) {
            return "unsupported";
        }
        Job job = new Job(Integer.parseInt(words[2]), Integer.parseInt(words[3]), this::ask);
        try {
            System.gc(); // so that a program does not pay for the garbage of an earlier one
            long cpu = system.getProcessCpuTime();
            long wall = System.nanoTime();
            idiom.run(program, job);
            job.figure("wall", (double) (System.nanoTime() - wall));
            job.figure("cpu", (double) (system.getProcessCpuTime() - cpu));
            return "ok " + job.line();
        } catch (Exception e) {
            return "failed "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        }
    }

    private String ask(String question) throws IOException {
        out.println(question);
        out.flush();
        String answer = in.readLine();
        if (answer == null) {
            throw new IOException("nobody answers to '" + question + "'");
        }
        return answer;
    }
}
