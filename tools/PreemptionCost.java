import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// The cost of preemption points in tight loops: the same loops without points, with closed ones, and with open ones.
///
/// ```
/// java tools/PreemptionCost.java core/target/heddle.jar 5      # with a JDK 25; 5 rounds of three JVMs
/// ```
///
/// Prints the best time of each loop without points, and for the others the ratio of the best times.
public final class PreemptionCost {

    private static final long WARM_NANOS = 400_000_000;
    private static final int BATCHES = 30;

    private PreemptionCost() {}

    enum Mode {
        NONE(""),
        SHUT("=preempt=PreemptionCost:Loops"),
        OPEN("=preempt=PreemptionCost:Loops");

        final String options;

        Mode(String options) {
            this.options = options;
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 1) {
            measure(Mode.valueOf(args[0]));
        } else {
            compare(Path.of(args[0]), Integer.parseInt(args[1]));
        }
    }

    // ---- the comparison

    private static void compare(Path agent, int rounds) throws IOException, InterruptedException {
        Map<String, double[]> best = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Mode mode : Mode.values()) {
                for (String line : child(agent, mode)) {
                    String[] words = line.split(" ");
                    double[] times = best.computeIfAbsent(words[0], _ -> infinite());
                    times[mode.ordinal()] = Math.min(times[mode.ordinal()], Double.parseDouble(words[1]));
                }
            }
        }
        System.out.printf("%-14s %12s %8s %8s%n", "loop", "none (us)", "shut", "open");
        best.forEach((loop, times) -> System.out.printf(
                "%-14s %12.2f %8.3f %8.2f%n", loop, times[0] / 1e3, times[1] / times[0], times[2] / times[0]));
    }

    private static double[] infinite() {
        double[] times = new double[Mode.values().length];
        Arrays.fill(times, Double.POSITIVE_INFINITY);
        return times;
    }

    private static List<String> child(Path agent, Mode mode) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String source = System.getProperty("jdk.launcher.sourcefile", "tools/PreemptionCost.java");
        Process process = new ProcessBuilder(java, "-javaagent:" + agent + mode.options, source, mode.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the child failed: " + out);
        }
        return out.lines().toList();
    }

    // ---- one JVM

    private static volatile long result;

    private static void measure(Mode mode) throws ReflectiveOperationException {
        Map<String, LongSupplier> loops = new Loops().all();
        if (mode == Mode.OPEN) {
            loops.values().forEach(it -> result += it.getAsLong()); // links the points
            openAll();
        }
        loops.forEach((name, loop) -> {
            long runs = 0;
            long end = System.nanoTime() + WARM_NANOS;
            while (System.nanoTime() < end) {
                result += loop.getAsLong();
                runs++;
            }
            long perBatch = Math.max(1, runs / 40);
            double best = Double.POSITIVE_INFINITY;
            for (int batch = 0; batch < BATCHES; batch++) {
                long start = System.nanoTime();
                for (long i = 0; i < perBatch; i++) {
                    result += loop.getAsLong();
                }
                best = Math.min(best, (double) (System.nanoTime() - start) / perBatch);
            }
            System.out.println(name + " " + best);
        });
    }

    /// Does permanently and for all classes what the agent does when it finds a hog.
    private static void openAll() throws ReflectiveOperationException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("heddle-points")) {
                var field = thread.getClass().getDeclaredField("points");
                field.setAccessible(true);
                for (Object point : new ArrayList<>(((Map<?, ?>) field.get(thread)).values())) {
                    Method open = point.getClass().getDeclaredMethod("open", long.class);
                    open.setAccessible(true);
                    open.invoke(point, System.nanoTime());
                }
            }
        }
    }
}

/// Tight numeric loops of many shapes; no call in most of them.
final class Loops {
    private final int[] ints = new int[1 << 16];
    private final float[] x = new float[1 << 14];
    private final float[] y = new float[1 << 14];
    private final double[] u = new double[1 << 14];
    private final double[] v = new double[1 << 14];
    private final byte[] bytes = new byte[1 << 14];
    private final boolean[] composite = new boolean[1 << 16];
    private final double[][] a = new double[96][96];
    private final double[][] b = new double[96][96];
    private final double[][] c = new double[96][96];
    private final int[] lengths = new int[1024];
    private final String text;

    Loops() {
        Arrays.setAll(ints, i -> 7 * i);
        Arrays.setAll(u, i -> i);
        Arrays.setAll(v, i -> 0.5 * i);
        Arrays.setAll(lengths, i -> 1 + i * 7919 % 13);
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            words.append((char) ('a' + i % 26)).append(i % 7 == 0 ? " " : "");
        }
        text = words.toString();
    }

    Map<String, LongSupplier> all() {
        Map<String, LongSupplier> all = new LinkedHashMap<>();
        all.put("sum", this::sum);
        all.put("saxpy", this::saxpy);
        all.put("dot", this::dot);
        all.put("fnv", this::fnv);
        all.put("matmul", this::matmul);
        all.put("sieve", this::sieve);
        all.put("collatz", this::collatz);
        all.put("long-lcg", this::lcg);
        all.put("words", this::words);
        all.put("mandelbrot", this::mandelbrot);
        all.put("short-fixed", this::shortFixed);
        all.put("short-varied", this::shortVaried);
        all.put("long-counted", this::longCounted);
        return all;
    }

    private long sum() {
        int[] array = ints;
        int sum = 0;
        for (int i = 0; i < array.length; i++) {
            sum += array[i];
        }
        return sum;
    }

    private long saxpy() {
        float[] from = x;
        float[] to = y;
        for (int i = 0; i < from.length; i++) {
            to[i] = 1.0001f * from[i] + to[i];
        }
        return (long) to[3];
    }

    private long dot() {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            sum += u[i] * v[i];
        }
        return (long) sum;
    }

    private long fnv() {
        int hash = 0x811c9dc5;
        for (byte one : bytes) {
            hash = (hash ^ one) * 16_777_619;
        }
        return hash;
    }

    private long matmul() {
        int n = a.length;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) {
                    sum += a[i][k] * b[k][j];
                }
                c[i][j] = sum;
            }
        }
        return (long) c[5][5];
    }

    private long sieve() {
        Arrays.fill(composite, false);
        int primes = 0;
        for (int i = 2; i < composite.length; i++) {
            if (!composite[i]) {
                primes++;
                for (int j = i + i; j < composite.length; j += i) {
                    composite[j] = true;
                }
            }
        }
        return primes;
    }

    private long collatz() {
        long steps = 0;
        for (int i = 1; i < 2000; i++) {
            long n = i;
            while (n != 1) {
                n = (n & 1) == 0 ? n >> 1 : 3 * n + 1;
                steps++;
            }
        }
        return steps;
    }

    private long lcg() {
        long state = 1;
        for (long i = 0; i < 50_000L; i++) {
            state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        }
        return state;
    }

    private long words() {
        int words = 0;
        int i = 0;
        while (i < text.length()) {
            while (i < text.length() && text.charAt(i) != ' ') {
                i++;
            }
            words++;
            i++;
        }
        return words;
    }

    private long mandelbrot() {
        int total = 0;
        for (int row = 0; row < 40; row++) {
            for (int column = 0; column < 40; column++) {
                double re = 0;
                double im = 0;
                int n = 0;
                while (re * re + im * im < 4 && n < 200) {
                    double next = re * re - im * im + column / 20.0 - 1.5;
                    im = 2 * re * im + row / 20.0 - 1;
                    re = next;
                    n++;
                }
                total += n;
            }
        }
        return total;
    }

    private long shortFixed() {
        long sum = 0;
        for (int offset = 0; offset < 8000; offset += 4) {
            sum += part(offset, 8);
        }
        return sum;
    }

    private long shortVaried() {
        long sum = 0;
        for (int k = 0; k < lengths.length; k++) {
            sum += part(k, lengths[k]);
        }
        return sum;
    }

    private int part(int offset, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += 31 * ints[offset + i];
        }
        return sum;
    }

    private long longCounted() {
        int state = 1;
        for (int i = 0; i < 3_000_000; i++) {
            state = state * 31 + i;
        }
        return state;
    }
}
