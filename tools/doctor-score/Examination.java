import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Runs programs under the agent, asks the doctor about each, and prints the score. See `run`.
final class Examination {

    private static final int HEALTHY_SECONDS = 120;
    private static final long START_MILLIS = 1_000;

    private final Bench bench;
    private final Judged judged;
    private final int seconds;
    private final Set<String> notJudged = new LinkedHashSet<>();

    private Examination(Bench bench, Judged judged, int seconds) {
        this.bench = bench;
        this.judged = judged;
        this.seconds = seconds;
    }

    public static void main(String[] args) throws Exception {
        Path here = Path.of(args[0]);
        Path work = Path.of(args[1]);
        String set = "unseen";
        int runs = 5;
        int seconds = 5;
        Pattern only = Pattern.compile("");
        for (int i = 2; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw fail("the option " + args[i] + " lacks its value.");
            }
            switch (args[i]) {
                case "--set" -> set = args[i + 1];
                case "--runs" -> runs = Integer.parseInt(args[i + 1]);
                case "--seconds" -> seconds = Integer.parseInt(args[i + 1]);
                case "--only" -> only = Pattern.compile(args[i + 1]);
                default -> throw fail("there is no option " + args[i] + ": see the head of tools/doctor-score/run.");
            }
        }
        Path folder = Files.isDirectory(here.resolve(set)) ? here.resolve(set) : Path.of(set);
        if (!Files.isDirectory(folder)) {
            throw fail("there is no set '" + set + "': name unseen, second, third, a healthy one or a folder.");
        }
        List<Program> programs = Program.in(folder, only);
        if (programs.isEmpty()) {
            throw fail("no program in " + folder + " matches '" + only + "'.");
        }
        Bench bench = new Bench(here.getParent().getParent(), work);
        var examination = new Examination(bench, new Judged(here.resolve("judged")), seconds);
        System.out.println("load average at the start: " + load());
        try {
            int exit = programs.getFirst().isHealthy()
                    ? examination.watchHealthy(programs)
                    : examination.score(programs, runs);
            System.out.println("load average at the end: " + load());
            System.exit(exit);
        } catch (IOException e) {
            throw fail(e.getMessage());
        }
    }

    private static Error fail(String sentence) {
        System.err.println("doctor-score: " + sentence);
        System.exit(2);
        return new AssertionError();
    }

    private static String load() throws IOException {
        String line = Files.readString(Path.of("/proc/loadavg"));
        return line.substring(0, line.indexOf(' ', line.indexOf(' ') + 1)) + " (1 and 5 minutes)";
    }

    // Problems ---------------------------------------------------------------------------------------------------

    private int score(List<Program> programs, int runs) throws IOException, InterruptedException {
        var total = new Score();
        for (Program program : programs) {
            var mine = new Score();
            for (int run = 0; run < runs; run++) {
                try (Bench.Running running = bench.start(program)) {
                    Thread.sleep(START_MILLIS);
                    mine.add(examine(program, running.askDoctor(seconds)));
                }
            }
            System.out.printf("%-14s %s%n%n", "", mine);
            total.add(mine);
        }
        System.out.printf("%d programs, %d runs each: %s%n", programs.size(), runs, total);
        notJudged.forEach(it -> System.out.println("not judged yet: " + it));
        return 0;
    }

    /// Prints what the doctor said in one run, and what it is worth.
    private Score examine(Program program, List<Finding> findings) {
        boolean isNamed = false;
        boolean isHalf = false;
        var score = new Score();
        if (findings.isEmpty()) {
            System.out.printf("%-14s nothing%n", program.name());
        }
        for (Finding finding : findings) {
            boolean showsPlace = program.placeIsIn(finding.text());
            var opinion = judged.of(program, finding);
            System.out.printf(
                    "%-14s %-24s %-8s %-7s %s%n",
                    program.name(),
                    finding.cause(),
                    showsPlace ? "place" : "no place",
                    opinion.map(it -> it.name().toLowerCase()).orElse("?"),
                    finding.firstPlace());
            if (finding.cause().equals(Finding.NO_ANSWER)) {
                continue;
            }
            if (opinion.isEmpty()) {
                notJudged.add(program.name() + " " + finding.cause());
                continue;
            }
            switch (opinion.get()) {
                case FITS -> {
                    isNamed |= showsPlace;
                    isHalf |= !showsPlace;
                }
                case HALF -> isHalf = true;
                case WRONG -> score.falseFindings++;
            }
        }
        score.named = isNamed ? 1 : 0;
        score.half = !isNamed && isHalf ? 1 : 0;
        score.missed = !isNamed && !isHalf ? 1 : 0;
        return score;
    }

    // Healthy programs -------------------------------------------------------------------------------------------

    private int watchHealthy(List<Program> programs) throws IOException, InterruptedException {
        int alarms = 0;
        int silent = 0;
        for (Program program : programs) {
            Map<String, Alarm> mine = new LinkedHashMap<>();
            int asked = 0;
            try (Bench.Running running = bench.start(program)) {
                long start = System.nanoTime();
                Thread.sleep(START_MILLIS);
                while (System.nanoTime() - start < HEALTHY_SECONDS * 1_000_000_000L) {
                    running.startLoadWhenOpen();
                    long second = (System.nanoTime() - start) / 1_000_000_000;
                    for (Finding finding : running.askDoctor(seconds)) {
                        mine.computeIfAbsent(finding.cause(), _ -> new Alarm(finding)).seconds.add(second);
                    }
                    asked++;
                }
            }
            int noAnswers = mine.containsKey(Finding.NO_ANSWER) ? mine.get(Finding.NO_ANSWER).seconds.size() : 0;
            int all = mine.values().stream().mapToInt(it -> it.seconds.size()).sum();
            System.out.printf(
                    "%-14s asked %d times, %d false alarms, %d times no answer%n",
                    program.name(), asked, all - noAnswers, noAnswers);
            mine.values().forEach(System.out::print);
            alarms += all - noAnswers;
            silent += noAnswers;
        }
        System.out.printf(
                "%d healthy programs: %d false alarms, %d times no answer%n", programs.size(), alarms, silent);
        return alarms + silent == 0 ? 0 : 1;
    }

    /// A cause that was named for a healthy program: the first such finding, and when the doctor was asked.
    private record Alarm(Finding first, List<Long> seconds) {
        Alarm(Finding first) {
            this(first, new ArrayList<>());
        }

        @Override
        public String toString() {
            return "  %s, %d times, asked at seconds %s; the first one:%n%s"
                    .formatted(first.cause(), seconds.size(), seconds, first.text().indent(6));
        }
    }

    /// Counts of runs, and of findings that name a problem which is not there.
    private static final class Score {
        private int named;
        private int half;
        private int missed;
        private int falseFindings;

        void add(Score other) {
            named += other.named;
            half += other.half;
            missed += other.missed;
            falseFindings += other.falseFindings;
        }

        @Override
        public String toString() {
            return "named %d, half %d, missed %d; false findings %d".formatted(named, half, missed, falseFindings);
        }
    }
}
