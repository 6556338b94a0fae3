package dev.heddle.internal.weave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.preempt.Point;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import sample.Loops;

/// Woven code does what it did, passes a point in each round of each loop, and is what a debugger expects.
public final class WeaverTest {

    private static final AtomicLong PASSED = new AtomicLong();

    private static final Weaver WEAVER = new Weaver(MethodHandleDesc.ofMethod(
            DirectMethodHandleDesc.Kind.STATIC,
            ClassDesc.of(WeaverTest.class.getName()),
            "link",
            MethodTypeDesc.of(
                    ConstantDescs.CD_CallSite,
                    ConstantDescs.CD_MethodHandles_Lookup,
                    ConstantDescs.CD_String,
                    ConstantDescs.CD_MethodType)));

    private static final Function<String, @Nullable InputStream> FILES =
            WeaverTest.class.getClassLoader()::getResourceAsStream;

    /// The bootstrap method of the points in this test.
    public static CallSite link(MethodHandles.Lookup caller, String name, MethodType type)
            throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        return new ConstantCallSite(
                name.equals(Weaver.STRIP_LIMIT)
                        ? lookup.findStatic(Point.class, "stripLimit", type)
                        : lookup.findStatic(WeaverTest.class, "pass", type));
    }

    static void pass() {
        PASSED.incrementAndGet();
    }

    /// Defines woven classes beside the plain ones.
    private static final class WovenLoader extends ClassLoader {
        WovenLoader() {
            super(WeaverTest.class.getClassLoader());
        }

        Class<?> define(byte[] classFile) {
            return defineClass(null, classFile, 0, classFile.length);
        }
    }

    private static byte[] classFileOf(Class<?> type) throws IOException {
        try (InputStream in = FILES.apply(type.getName().replace('.', '/') + ".class")) {
            return in.readAllBytes();
        }
    }

    private static Class<?> wovenLoops() throws IOException {
        Weaver.Woven woven = WEAVER.weave(classFileOf(Loops.class), FILES);
        assertThat(woven.leftOut()).isEmpty();
        return new WovenLoader().define(woven.classFile());
    }

    static Stream<String> shapes() {
        return Arrays.stream(Loops.class.getDeclaredMethods())
                .filter(it -> Modifier.isPublic(it.getModifiers()))
                .map(Method::getName)
                .filter(it -> !it.equals("failing"))
                .sorted();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void wovenLoopsGiveTheSameResults(String shape) throws Exception {
        Method plain = Loops.class.getMethod(shape, int.class);
        Method woven = wovenLoops().getMethod(shape, int.class);

        for (int n : new int[] {0, 1, 2, 3, 10, 97, 1000}) {
            long before = PASSED.get();
            assertThat(woven.invoke(null, n)).as("%s(%d)", shape, n).isEqualTo(plain.invoke(null, n));
            if (n == 1000 && !isCut(shape)) {
                assertThat(PASSED.get() - before)
                        .as("points passed by %s", shape)
                        .isGreaterThan(400);
            }
        }
    }

    /// These are counted loops without calls, and have a point between two strips only.
    private static boolean isCut(String shape) {
        return List.of("overArray", "insideExpression", "nearTheEnd", "fromBelowZero")
                .contains(shape);
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void countedLoopsAreCutIntoStrips(String shape, int n, int points) throws Exception {
        long before = PASSED.get();

        Object result = wovenLoops().getMethod(shape, int.class).invoke(null, n);

        assertThat(result).isEqualTo(Loops.class.getMethod(shape, int.class).invoke(null, n));
        assertThat(PASSED.get() - before).isEqualTo(points);
    }

    static Stream<Arguments> lengths() {
        int strip = Point.STRIP;
        List<Arguments> lengths = new ArrayList<>();
        for (String shape : List.of("overArray", "fromBelowZero", "nearTheEnd")) {
            for (int n : new int[] {0, 1, strip - 1, strip, strip + 1, 3 * strip, 3 * strip + 1}) {
                int points = pointsBetweenStrips(n, shape.equals("nearTheEnd") ? 3 : 1);
                lengths.add(Arguments.of(shape, n, points));
            }
        }
        return lengths.stream();
    }

    private static int pointsBetweenStrips(int n, int step) {
        int points = 0;
        for (int i = 0; i < n; points++) {
            int end = (int) Math.min(n, (long) i + Point.STRIP);
            i += (end - i + step - 1) / step * step;
        }
        return Math.max(0, points - 1);
    }

    @Test
    void exceptionsComeFromTheirLines() throws Exception {
        StackTraceElement plain = failure(Loops.class);
        StackTraceElement woven = failure(wovenLoops());

        assertThat(woven.getLineNumber()).isEqualTo(plain.getLineNumber());
        assertThat(woven.getMethodName()).isEqualTo("failing");
    }

    private static StackTraceElement failure(Class<?> loops) throws ReflectiveOperationException {
        try {
            loops.getMethod("failing", int.class).invoke(null, 10);
            throw new AssertionError("it did not fail");
        } catch (InvocationTargetException e) {
            return e.getCause().getStackTrace()[0];
        }
    }

    @Test
    void debuggersFindTheSameLinesAndVariables() throws IOException {
        byte[] plain = classFileOf(Loops.class);
        byte[] woven = WEAVER.weave(plain, FILES).classFile();

        assertThat(debugInformation(woven)).isEqualTo(debugInformation(plain));
    }

    private static List<String> debugInformation(byte[] classFile) {
        List<String> facts = new ArrayList<>();
        for (var method : ClassFile.of().parse(classFile).methods()) {
            method.code()
                    .ifPresent(code -> code.forEach(element -> {
                        switch (element) {
                            case LineNumber line -> facts.add(method.methodName() + " line " + line.line());
                            case LocalVariable variable ->
                                facts.add(method.methodName() + " " + variable.name() + " in " + variable.slot());
                            default -> {}
                        }
                    }));
        }
        facts.sort(null);
        return facts.stream().distinct().toList();
    }

    @Test
    void aClassWithoutLoopsStaysAsItIs() throws IOException {
        Weaver.Woven woven = WEAVER.weave(classFileOf(PlainRecord.class), FILES);

        assertThat(woven.classFile()).isNull();
        assertThat(woven.leftOut()).isEmpty();
    }

    record PlainRecord(int number) {}

    @ParameterizedTest
    @CsvSource({
        "65540, 'sample.Long.loop is so long that there is no room in it'",
        "8003, 'sample.Long.loop is so long that the JVM would no longer compile it'"
    })
    void methodsAreLeftOutIfTheyWouldBecomeTooLong(int bytes, String sentence) {
        Weaver.Woven woven = WEAVER.weave(longLoop(bytes, ClassFile.JAVA_25_VERSION), FILES);

        assertThat(woven.leftOut()).containsExactly(sentence);
        assertThat(woven.classFile()).isNull();
    }

    @Test
    void longMethodsWithSomeRoomAreWoven() {
        Weaver.Woven woven = WEAVER.weave(longLoop(60_000, ClassFile.JAVA_25_VERSION), FILES);

        assertThat(woven.points()).isOne();
        assertThat(ClassFile.of().verify(woven.classFile())).isEmpty();
    }

    @Test
    void oldClassFilesAreLeftOut() {
        Weaver.Woven woven = WEAVER.weave(longLoop(100, ClassFile.JAVA_6_VERSION), FILES);

        assertThat(woven.leftOut()).containsExactly("sample.Long is in a class file from before Java 7");
        assertThat(woven.classFile()).isNull();
    }

    /// `static void loop() { while (true) { nop.. } }`, with about so many bytes.
    private static byte[] longLoop(int bytes, int version) {
        return ClassFile.of()
                .build(
                        ClassDesc.of("sample.Long"),
                        it -> it.withVersion(version, 0)
                                .withMethodBody("loop", ConstantDescs.MTD_void, ClassFile.ACC_STATIC, code -> {
                                    var begin = code.newBoundLabel();
                                    for (int i = 0; i < bytes - 10; i++) {
                                        code.nop();
                                    }
                                    code.goto_w(begin);
                                }));
    }
}
