package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.internal.jdk.PointGate;
import dev.heddle.internal.weave.Weaver;
import dev.heddle.testing.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sample.DatabaseProgram;
import sample.HogProgram;

/// Preemption points in programs: hogs yield and need no thread of their own, and real libraries work as before.
public final class PreemptionTest {

    @TempDir
    private static Path folder;

    private static Path agent;

    @BeforeAll
    static void makeAgent() throws IOException {
        agent = AgentJar.of(folder);
    }

    private static Map<String, Long> run(Class<?> program, String... words) throws Exception {
        ChildJvm.Result child = ChildJvm.withoutHeddle(program, words)
                .option("-javaagent:" + agent + "=procs=2,preempt=sample.*")
                .run();
        assertThat(child.err()).isEmpty();
        System.out.println(program.getSimpleName() + String.join(" ", words) + ": "
                + child.out().lines().collect(Collectors.joining(", ")));
        return child.out()
                .lines()
                .map(it -> it.split(": "))
                .collect(Collectors.toMap(it -> it[0], it -> Long.valueOf(it[1].replace(" us", ""))));
    }

    @Test
    void hogsYieldWhenTheyAreAskedTo() throws Exception {
        Map<String, Long> facts = run(HogProgram.class);

        assertThat(facts.get("requests to yield")).isGreaterThan(10);
        assertThat(facts.get("hand-offs")) // a pause of the JVM, or of the machine below, may be taken for a hog
                .isLessThan(facts.get("requests to yield") / 10);
        assertThat(facts.get("busy threads"))
                .isLessThanOrEqualTo(4); // six hogs, two processors, and who sleeps for timers
        assertThat(facts.get("late, p50")).isLessThan(2_000_000); // Go: 20 ms; here only a freeze fails
        assertThat(facts.get("safety net")).isZero();
    }

    /// A thread inside a class initialiser is pinned: it cannot yield, and its processor is taken as if there were
    /// no points; or even before, while it waits for the class to be read.
    @Test
    void pinnedHogsLoseTheirProcessor() throws Exception {
        Map<String, Long> facts = run(HogProgram.class, "pinned");

        assertThat(facts.get("processors taken")).isGreaterThanOrEqualTo(1);
        assertThat(facts.get("late, p50")).isLessThan(2_000_000);
    }

    @Test
    void aWovenDatabaseGivesTheSameAnswers() throws Exception {
        String path = ChildJvm.home(DatabaseProgram.class) + File.pathSeparator + databaseJar();
        ChildJvm.Result plain =
                ChildJvm.withClassPath(path, DatabaseProgram.class).run();

        ChildJvm.Result woven = ChildJvm.withClassPath(path, DatabaseProgram.class)
                .option("-javaagent:" + agent + "=procs=2,preempt=org.h2.*:sample.*")
                .run();

        assertThat(plain.out().lines()).hasSize(8);
        assertThat(woven.out()).isEqualTo(plain.out());
        assertThat(woven.err()).isEmpty();
        assertThat(woven.exitCode()).isZero();
    }

    /// Every class of a jar from Maven Central, by the JDK's own verifier.
    @Test
    void aWholeJarCanBeWoven() throws IOException {
        Weaver weaver = new Weaver(PointGate.bootstrap());
        int points = 0;
        List<String> leftOut = new ArrayList<>();
        try (JarFile jar = new JarFile(databaseJar().toFile())) {
            // Nothing of the jar is loaded here: Lincheck would later transform every loaded class, again and again.
            ClassHierarchyResolver byResource =
                    ClassHierarchyResolver.ofResourceParsing(ClassLoader.getSystemClassLoader());
            ClassFile verifier = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(byResource));
            for (var entry : jar.stream().filter(PreemptionTest::isClass).toList()) {
                byte[] plain = read(jar, entry.getName());
                Weaver.Woven woven = weaver.weave(plain, name -> open(jar, name));
                points += woven.points();
                leftOut.addAll(woven.leftOut());
                List<VerifyError> errors = woven.classFile() == null ? List.of() : verifier.verify(woven.classFile());
                if (!errors.isEmpty()) { // a few need libraries that are not there, woven or not
                    assertThat(errors).hasSameSizeAs(verifier.verify(plain));
                }
            }
        }
        assertThat(points).isGreaterThan(1000);
        assertThat(leftOut).hasSizeLessThan(10).allMatch(it -> it.contains("refers to a class that is not there"));
    }

    private static boolean isClass(JarEntry entry) {
        return entry.getName().endsWith(".class")
                && !entry.getName().startsWith("META-INF/")
                && !entry.getName().equals("module-info.class");
    }

    private static InputStream open(JarFile jar, String name) {
        try {
            var entry = jar.getEntry(name);
            return entry == null
                    ? PreemptionTest.class.getClassLoader().getResourceAsStream(name)
                    : jar.getInputStream(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] read(JarFile jar, String name) throws IOException {
        try (InputStream in = open(jar, name)) {
            return in.readAllBytes();
        }
    }

    private static Path databaseJar() {
        return ChildJvm.home(org.h2.Driver.class);
    }
}
