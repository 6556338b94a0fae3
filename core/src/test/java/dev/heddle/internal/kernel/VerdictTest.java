package dev.heddle.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.kernel.Facts.Points;
import dev.heddle.internal.kernel.Facts.Work;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When the monitor ends a slice or takes a processor, as tables.
///
/// A `?` is a fact that was not read yet: such rows state which facts are worth their cost. A `-` is a fact that was
/// asked for and is not known. An empty cell does not matter.
class VerdictTest {

    private static final long MILLI = 1_000_000;

    private final Facts facts = new Facts();

    // ---- slices

    /// A spinner's nap: nothing but the slice is judged.
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            asked | crowd | patience | age    | CPU    | verdict
            no    | no    | 10 ms    | 2.4 ms | ?      | NOTHING
            no    | no    | 10 ms    | 2.5 ms | ?      | READ_SLICE_CPU
            no    | no    | 10 ms    | 9 ms   | 7.4 ms | NOTHING
            no    | no    | 10 ms    | 9 ms   | 7.5 ms | END_SLICE
            yes   | no    | 10 ms    | 9 ms   | ?      | NOTHING
            # Starved of the CPU for a second: none of the slice is used.
            no    | no    | 10 ms    | 1 s    | 1 ms   | NOTHING
            # CPU time is not known: elapsed time decides.
            no    | no    | 10 ms    | 9.9 ms | -      | NOTHING
            no    | no    | 10 ms    | 10 ms  | -      | END_SLICE
            # Patience with hogs does not lengthen slices.
            no    | no    | 40 ms    | 9 ms   | 7.5 ms | END_SLICE
            no    | no    | 40 ms    | 10 ms  | -      | END_SLICE
            # In a crowd of hogs slices are measured from the first sample on, and are shorter.
            no    | yes   | 2.5 ms   | 0      | ?      | READ_SLICE_CPU
            no    | yes   | 2.5 ms   | 2 ms   | 1.8 ms | NOTHING
            no    | yes   | 2.5 ms   | 2 ms   | 1.9 ms | END_SLICE
            yes   | yes   | 2.5 ms   | 2 ms   | ?      | NOTHING
            """)
    void aSliceIsCpuTime(String asked, String crowd, String patience, String age, String cpu, Verdict verdict) {
        begin(Word.NAP);
        facts.isRequested = yes(asked);
        facts.isCrowd = yes(crowd);
        facts.patience = nanos(patience);
        facts.sliceAge = nanos(age);
        facts.sliceCpu = nanos(cpu);
        assertThat(Verdict.of(facts)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"NAP", "USER", "SYSCALL"})
    void slicesAreJudgedInEveryStateAndFirst(String state) {
        begin(
                switch (state) {
                    case "NAP" -> Word.NAP;
                    case "USER" -> Word.USER;
                    default -> Word.SYSCALL;
                });
        facts.intervalAge = MILLI;
        facts.sliceAge = 10 * MILLI;
        assertThat(Verdict.of(facts)).isEqualTo(Verdict.READ_SLICE_CPU);
        facts.sliceCpu = 10 * MILLI;
        assertThat(Verdict.of(facts)).isEqualTo(Verdict.END_SLICE);
    }

    // ---- blocked threads

    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            interval | work      | free | verdict
            # The first sample of a blocking operation decides nothing: most are over by the second.
            0        | ?         |      | NOTHING
            20 us    | ?         |      | READ_WORK
            20 us    | HERE      | yes  | TAKE_BLOCKED
            20 us    | HERE      | no   | TAKE_BLOCKED
            # New work would find no machine, and no machine waits for sockets and timers.
            20 us    | NONE      | no   | TAKE_BLOCKED
            20 us    | ELSEWHERE | no   | TAKE_BLOCKED
            20 us    | NONE      | yes  | NOTHING
            9.9 ms   | NONE      | yes  | NOTHING
            # Nothing waits: taken all the same, or the monitor could never sleep deeply.
            10 ms    | ?         |      | TAKE_BLOCKED
            """)
    void declaredBlocking(String interval, String work, String free, Verdict verdict) {
        begin(Word.SYSCALL);
        facts.intervalAge = nanos(interval);
        facts.work = work(work);
        facts.isAnyFree = yes(free);
        assertThat(Verdict.of(facts)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            interval | JVM waits | burst | samples | asleep | verdict
            # The first sample of an interval decides nothing.
            0        | yes       | yes   | ?       |        | NOTHING
            # /proc is read after a millisecond; after 40 us while threads are found blocked one after the other.
            999 us   | no        | no    | ?       |        | NOTHING
            1 ms     | no        | no    | ?       |        | READ_SLEEP
            39 us    | no        | yes   | ?       |        | NOTHING
            40 us    | no        | yes   | ?       |        | READ_SLEEP
            # If the JVM says that the thread waits, /proc need not be read.
            20 us    | yes       | no    | ?       |        | READ_SLEEP
            # Awake: neither blocked nor, so far, a hog.
            1 ms     | no        | no    | 0       |        | NOTHING
            1 ms     | no        | yes   | 0       |        | NOTHING
            # One sample is not enough: most waits are over at the next one.
            1 ms     | no        | no    | 1       |        | MAY_BE_ASLEEP
            20 us    | yes       | no    | 1       |        | MAY_BE_ASLEEP
            # Two are: does anything need the processor?
            1 ms     | no        | no    | 2       |        | READ_WORK
            20 us    | yes       | no    | 2       |        | READ_WORK
            # In a burst one may be.
            40 us    | no        | yes   | 1       |        | READ_WORK
            # Nothing needs it: taken all the same after 10 ms of sleep. Time in user code is not sleep.
            12 ms    | no        | no    | 2       | 9.9 ms | READ_WORK
            12 ms    | no        | no    | 2       | 10 ms  | TAKE_ASLEEP
            1 s      | no        | no    | 1       | 0      | MAY_BE_ASLEEP
            1 s      | no        | yes   | 1       | 0      | READ_WORK
            """)
    void undeclaredSleep(String interval, String waits, String burst, String samples, String asleep, Verdict verdict) {
        begin(Word.USER);
        facts.intervalAge = nanos(interval);
        facts.isWaiting = yes(waits);
        facts.isBurst = yes(burst);
        facts.sleepSamples = nanos(samples);
        facts.asleepFor = asleep == null ? 0 : nanos(asleep);
        assertThat(Verdict.of(facts)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            burst | samples | work      | free | verdict
            no    | 2       | HERE      | yes  | TAKE_ASLEEP
            no    | 2       | HERE      | no   | TAKE_ASLEEP
            no    | 2       | ELSEWHERE | no   | TAKE_ASLEEP
            no    | 2       | NONE      | no   | TAKE_ASLEEP
            no    | 2       | NONE      | yes  | MAY_BE_ASLEEP
            yes   | 1       | HERE      | yes  | TAKE_ASLEEP
            yes   | 1       | ELSEWHERE | no   | TAKE_ASLEEP
            # One sample proves too little if nothing waits: the thread may compute, and sleep at a safepoint.
            yes   | 1       | NONE      | no   | MAY_BE_ASLEEP
            yes   | 1       | NONE      | yes  | MAY_BE_ASLEEP
            yes   | 2       | NONE      | no   | TAKE_ASLEEP
            """)
    void theProcessorOfASleeperIsTakenIfNeeded(String burst, int samples, String work, String free, Verdict verdict) {
        begin(Word.USER);
        facts.intervalAge = MILLI;
        facts.isBurst = yes(burst);
        facts.sleepSamples = samples;
        facts.work = work(work);
        facts.isAnyFree = yes(free);
        assertThat(Verdict.of(facts)).isEqualTo(verdict);
    }

    // ---- hogs

    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            crowd | turn   | CPU  | work      | free | verdict
            # Most turns are shorter: nothing is read. In a crowd of hogs, turns are measured from the beginning.
            no    | 2.4 ms | ?    | ?         |      | NOTHING
            no    | 2.5 ms | ?    | ?         |      | READ_TURN_CPU
            yes   | 0      | ?    | ?         |      | READ_TURN_CPU
            # The first CPU time is nothing to compare with, but the next sample is due soon if work waits.
            no    | 2.5 ms | -    | ?         |      | READ_WORK
            no    | 2.5 ms | -    | NONE      | no   | NOTHING
            no    | 2.5 ms | -    | HERE      | no   | COMPUTES
            no    | 1 s    | 1 s  | ?         |      | READ_WORK
            # A thread may compute for ever if nothing waits, or if other machines take what waits.
            no    | 1 s    | 1 s  | NONE      | no   | NOTHING
            no    | 1 s    | 1 s  | NONE      | yes  | NOTHING
            no    | 1 s    | 1 s  | HERE      | yes  | NOTHING
            no    | 1 s    | 1 s  | HERE      | no   | SUSPECT_HOG
            no    | 1 s    | 1 s  | ELSEWHERE | no   | SUSPECT_HOG
            no    | 3 ms   | 0    | HERE      | no   | SUSPECT_HOG
            """)
    void aThreadThatComputesIsSuspectedIfWorkWaits(
            String crowd, String turn, String cpu, String work, String free, Verdict verdict) {
        begin(Word.USER);
        facts.intervalAge = 2 * MILLI;
        facts.sleepSamples = 0;
        facts.isCrowd = yes(crowd);
        facts.sliceCpu = 0;
        facts.turnAge = nanos(turn);
        facts.turnCpu = nanos(cpu);
        facts.work = work(work);
        facts.isAnyFree = yes(free);
        assertThat(Verdict.of(facts)).isEqualTo(verdict);
    }

    /// Whether the thread is a hog. There is room for one.
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            patience | CPU    | asked  | passes points | CPU since | points    | CPU at points | verdict
            # It has used what patience grants, and did not honour the request by the next sample.
            10 ms    | 7.4 ms | 1 ms   | no            | 0         | NONE      |               | COMPUTES
            10 ms    | 7.5 ms | 1 ms   | no            | 0         | NONE      |               | TAKE_HOG
            10 ms    | 9 ms   | 0      | no            | 0         | NONE      |               | COMPUTES
            10 ms    | 9 ms   | no     | no            | 0         | NONE      |               | COMPUTES
            40 ms    | 29 ms  | 20 ms  | no            | 20 ms     | NONE      |               | COMPUTES
            40 ms    | 30 ms  | 20 ms  | no            | 20 ms     | NONE      |               | TAKE_HOG
            # A thread that passes scheduling points has half a slice to honour the request.
            10 ms    | 12 ms  | 9 ms   | yes           | 4.9 ms    | NONE      |               | COMPUTES
            10 ms    | 12 ms  | 9 ms   | yes           | 5 ms      | NONE      |               | TAKE_HOG
            # Where code has preemption points, they are told, and the thread gets 20 ms to reach one.
            10 ms    | 9 ms   | 1 ms   | no            | 1 ms      | NOT_ASKED |               | ASK_POINTS
            10 ms    | 7.4 ms | 1 ms   | no            | 1 ms      | NOT_ASKED |               | COMPUTES
            10 ms    | 28 ms  | 20 ms  | no            | 20 ms     | ASKED     | 19.9 ms       | COMPUTES
            10 ms    | 29 ms  | 21 ms  | no            | 21 ms     | ASKED     | 20 ms         | TAKE_HOG
            """)
    void aHogUsesItsCpuTimeAndDoesNotYield(
            String patience,
            String cpu,
            String asked,
            String passes,
            String cpuSince,
            Points points,
            String cpuAtPoints,
            Verdict verdict) {
        suspect();
        facts.patience = nanos(patience);
        facts.turnCpu = nanos(cpu);
        facts.isRequested = !asked.equals("no");
        facts.sinceRequest = facts.isRequested ? nanos(asked) : MILLI;
        facts.sliceCpu = 0; // a slice of which the request was withdrawn
        facts.passesPoints = yes(passes);
        facts.cpuSinceRequest = nanos(cpuSince);
        facts.points = points;
        facts.cpuSinceAsked = cpuAtPoints == null ? 0 : nanos(cpuAtPoints);
        assertThat(Verdict.of(facts)).isEqualTo(verdict);
    }

    /// A thread that makes others runnable where it cannot yield shares its queue, which begins a new slice.
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            turn  | slice | CPU    | other turn | verdict
            # The slice began well after the turn: it shares. Another processor runs what it shares.
            20 ms | 12 ms | 18 ms  | 19.9 ms    | NOTHING
            # No other processor switches: it is a hog without any request.
            20 ms | 12 ms | 18 ms  | 20 ms      | TAKE_HOG
            20 ms | 12 ms | 7.4 ms | 20 ms      | COMPUTES
            # The slice began with the turn, or a little later: it does not share.
            20 ms | 20 ms | 18 ms  | 1 ms       | COMPUTES
            20 ms | 15 ms | 18 ms  | 1 ms       | COMPUTES
            """)
    void aThreadThatSharesItsQueueKeepsItsProcessorWhileOthersSwitch(
            String turn, String slice, String cpu, String otherTurn, Verdict verdict) {
        suspect();
        facts.isRequested = false;
        facts.sliceCpu = 0;
        facts.turnAge = nanos(turn);
        facts.sliceAge = nanos(slice);
        facts.turnCpu = nanos(cpu);
        facts.otherTurnAge = nanos(otherTurn);
        assertThat(Verdict.of(facts)).isEqualTo(verdict);
    }

    /// Two processors.
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            hogs | demoter    | last hog | verdict
            # As many hogs at full priority as processors.
            1    | LOADING    | 0        | TAKE_HOG
            1    | READY      | 0        | TAKE_HOG
            1    | IMPOSSIBLE | 0        | TAKE_HOG
            # More only after another one was demoted.
            2    | READY      | 1 s      | MAKE_ROOM
            100  | READY      | 1 s      | MAKE_ROOM
            # While it is not known whether that is possible: one in 10 ms, and from four per processor on one in 40 ms.
            2    | LOADING    | 9.9 ms   | COMPUTES
            2    | LOADING    | 10 ms    | TAKE_HOG
            7    | LOADING    | 10 ms    | TAKE_HOG
            8    | LOADING    | 39 ms    | COMPUTES
            8    | LOADING    | 40 ms    | TAKE_HOG
            # Where it is impossible: four per processor at once, then one in 10 ms.
            7    | IMPOSSIBLE | 0        | TAKE_HOG
            8    | IMPOSSIBLE | 9.9 ms   | COMPUTES
            8    | IMPOSSIBLE | 10 ms    | TAKE_HOG
            """)
    void onlyAFewHogsComputeAtFullPriority(int hogs, Demoter.Ability demoter, String lastHog, Verdict verdict) {
        suspect();
        facts.hogsAtFullPriority = hogs;
        facts.demoter = demoter;
        facts.sinceLastHog = nanos(lastHog);
        assertThat(Verdict.of(facts)).isEqualTo(verdict);
    }

    // ---- the walk

    /// The monitor walks the tree until it has a verdict. Whatever the answers, each question comes once at most.
    @Test
    void noQuestionIsAskedTwice() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 100_000; i++) {
            randomize(random);
            Set<Verdict> asked = EnumSet.noneOf(Verdict.class);
            Verdict verdict = Verdict.of(facts);
            while (answers(verdict, random)) {
                assertThat(asked.add(verdict))
                        .as("%s again, seed %d", verdict, seed)
                        .isTrue();
                verdict = Verdict.of(facts);
            }
        }
    }

    private void randomize(SplittableRandom random) {
        begin(new int[] {Word.USER, Word.SYSCALL, Word.NAP}[random.nextInt(3)]);
        facts.isBurst = random.nextBoolean();
        facts.isCrowd = random.nextBoolean();
        facts.patience = random.nextLong(40 * MILLI);
        facts.hogsAtFullPriority = random.nextInt(10);
        facts.demoter = Demoter.Ability.values()[random.nextInt(3)];
        facts.sinceLastHog = random.nextLong(50 * MILLI);
        facts.intervalAge = random.nextLong(12 * MILLI);
        facts.isWaiting = random.nextBoolean();
        facts.isRequested = random.nextBoolean();
        facts.sinceRequest = random.nextLong(10 * MILLI);
        facts.sliceAge = random.nextLong(12 * MILLI);
        facts.turnAge = random.nextLong(24 * MILLI);
    }

    /// What `Retaker.judge` does; false if this is a verdict.
    private boolean answers(Verdict verdict, SplittableRandom random) {
        switch (verdict) {
            case READ_SLICE_CPU -> facts.sliceCpu = random.nextLong(-1, 12 * MILLI);
            case READ_SLEEP -> {
                facts.sleepSamples = random.nextInt(3);
                facts.asleepFor = facts.sleepSamples < 2 ? 0 : random.nextLong(12 * MILLI);
            }
            case READ_WORK -> {
                facts.work = Work.values()[1 + random.nextInt(3)];
                facts.isAnyFree = random.nextBoolean();
            }
            case READ_TURN_CPU -> facts.turnCpu = random.nextLong(-1, 40 * MILLI);
            case SUSPECT_HOG -> {
                facts.isSuspected = true;
                facts.passesPoints = random.nextBoolean();
                facts.cpuSinceRequest = random.nextLong(10 * MILLI);
                facts.otherTurnAge = random.nextLong(40 * MILLI);
                facts.points = Points.values()[random.nextInt(3)];
            }
            case END_SLICE -> {
                facts.isRequested = true;
                facts.sinceRequest = 0;
            }
            case ASK_POINTS -> {
                facts.points = random.nextBoolean() ? Points.ASKED : Points.NONE;
                facts.cpuSinceAsked = 0;
            }
            case NOTHING, TAKE_BLOCKED, MAY_BE_ASLEEP, TAKE_ASLEEP, COMPUTES, MAKE_ROOM, TAKE_HOG -> {
                return false;
            }
        }
        return true;
    }

    // ---- cases

    /// An interval of which nothing was read yet, in a new slice.
    private void begin(int state) {
        facts.forget();
        facts.state = state;
        facts.procs = 2;
        facts.patience = 10 * MILLI;
        facts.isRequested = false;
        facts.sliceAge = 0;
        facts.turnAge = 0;
    }

    /// A turn of 20 ms beside work that waits: everything was read, and it ignores the request. There is room.
    private void suspect() {
        begin(Word.USER);
        facts.intervalAge = 20 * MILLI;
        facts.turnAge = 20 * MILLI;
        facts.sliceAge = 20 * MILLI;
        facts.turnCpu = 10 * MILLI;
        facts.sleepSamples = 0;
        facts.work = Work.HERE;
        facts.isAnyFree = false;
        facts.isSuspected = true;
        facts.isRequested = true;
        facts.sinceRequest = MILLI;
        facts.passesPoints = false;
        facts.otherTurnAge = MILLI;
        facts.points = Points.NONE;
    }

    private static boolean yes(String cell) {
        return "yes".equals(cell);
    }

    private static Work work(String cell) {
        return cell.equals("?") ? Work.UNREAD : Work.valueOf(cell);
    }

    /// A number, or a time with its unit.
    private static long nanos(String cell) {
        if (cell.equals("?")) {
            return Facts.UNREAD;
        }
        if (cell.equals("-")) {
            return Facts.UNKNOWN;
        }
        String[] words = cell.split(" ");
        double unit = words.length == 1
                ? 1
                : switch (words[1]) {
                    case "us" -> 1e3;
                    case "ms" -> 1e6;
                    case "s" -> 1e9;
                    default -> throw new IllegalArgumentException(cell);
                };
        return Math.round(Double.parseDouble(words[0]) * unit);
    }
}
