package dev.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.heddle.internal.wire.Request;
import dev.heddle.management.Schedulers;
import dev.heddle.management.SchedulersMXBean;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import dev.heddle.testing.ObserverClient;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The one jar works in four ways: on the class path or on the module path, each with flags or with the agent.
class FourWaysTest {

    @TempDir
    private static Path folder;

    private static Path jar;

    /// A module that requires Heddle's, and its class path at the same time.
    private static Path program;

    @BeforeAll
    static void compileProgram() {
        jar = AgentJar.packaged();
        program = compile("program", "module-info.java", "program/Main.java");
    }

    /// Compiles a module of the test resources.
    private static Path compile(String name, String... sources) {
        Path root = Path.of("src", "test", "resources", "dev", "heddle", "agent", name);
        Path classes = folder.resolve(name);
        Stream<String> options = Stream.of("-p", jar.toString(), "-d", classes.toString());
        Stream<String> files =
                Stream.of(sources).map(it -> root.resolve(it).toAbsolutePath().toString());
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, Stream.concat(options, files).toArray(String[]::new));
        assertThat(status).as("status of javac").isZero();
        return classes;
    }

    enum Way {
        CLASS_PATH_WITH_FLAGS,
        CLASS_PATH_WITH_AGENT,
        MODULE_PATH_WITH_FLAGS,
        MODULE_PATH_WITH_AGENT;

        boolean isModular() {
            return this == MODULE_PATH_WITH_FLAGS || this == MODULE_PATH_WITH_AGENT;
        }

        boolean hasAgent() {
            return this == CLASS_PATH_WITH_AGENT || this == MODULE_PATH_WITH_AGENT;
        }

        /// `main` is the name of the module and of its package.
        ChildJvm bare(Path classes, String main) {
            String path = classes + File.pathSeparator + jar;
            String name = main + ".Main";
            return ChildJvm.ofWords(
                    isModular() ? List.of("-p", path, "-m", main + "/" + name) : List.of("-cp", path, name));
        }

        /// With the flags that the program itself names when it is started without them.
        ChildJvm complete() throws InterruptedException {
            ChildJvm child = bare(program, "program");
            // Pinning makes native calls; points are linked in every class of the program.
            child.option("-Dheddle.pin=auto");
            return hasAgent() ? child.option("-javaagent:" + jar + "=preempt=program.*") : child.option(namedFlags());
        }

        String[] namedFlags() throws InterruptedException {
            String sentence = bare(program, "program").run().err().strip();
            String flags = sentence.substring(sentence.indexOf("--add-"), sentence.length() - 1);
            return flags.split(" ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aProgramRunsAndToolsCanWatchIt(Way way) throws Exception {
        try (LiveJvm child = way.complete().start()) {
            String modules = child.readLine();
            assertThat(modules)
                    .as("the program's module, and that of HeddleAgent")
                    .matches(
                            way.isModular()
                                    ? "modules: module program, module dev\\.heddle"
                                    : "modules: (unnamed module @\\w+), \\1");
            assertThat(child.readLine()).isEqualTo("virtual threads are Heddle's: " + way.hasAgent());
            assertThat(child.readLine()).isEqualTo("goroutines: 5050");
            assertThat(child.readLine()).isEqualTo("socket: 7");
            assertThat(child.readLine()).isEqualTo("sleep: true");

            watch(child.pid());
            record(child);

            child.closeInput();
            assertThat(child.remainingLines()).containsExactly("end");
            assertThat(child.waitFor()).isZero();
            assertThat(child.err()).isEmpty();
        }
    }

    /// Creates the bean by its name, as a monitoring tool may do.
    @SuppressWarnings("BanJNDI") // the address is that of a child
    private static void watch(long pid) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        JMXServiceURL address = new JMXServiceURL(machine.startLocalManagementAgent());
        machine.detach();
        try (JMXConnector connector = JMXConnectorFactory.connect(address)) {
            MBeanServerConnection connection = connector.getMBeanServerConnection();
            ObjectName schedulers = new ObjectName(Schedulers.OBJECT_NAME);
            connection.createMBean("dev.heddle.management.Schedulers", schedulers);
            SchedulersMXBean bean = JMX.newMXBeanProxy(connection, schedulers, SchedulersMXBean.class);
            assertThat(bean.getSnapshots()).hasSize(1);
            assertThat(bean.goroutines(bean.getNames().getFirst(), 10, 10)).isNotNull();

            int port = freePort();
            bean.setDebug("sigquit=1,metrics=" + port); // by JFR, and by the JDK's HTTP server
            try (var page =
                    URI.create("http://localhost:" + port + "/metrics").toURL().openStream()) {
                assertThat(new String(page.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("heddle_");
            }
            bean.setDebug("sigquit=0,metrics=0");
        }
    }

    /// Asks at the socket, as Heddle's commands do.
    private static void record(LiveJvm child) throws Exception {
        try (ObserverClient client = ObserverClient.connect(child)) {
            assertThat(client.ask(Request.of(Request.RECORD).withMillis(10)))
                    .first()
                    .asString()
                    .startsWith("{window={");
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void aModuleWithoutAccessNamesTheFlagsOfThatModule() throws InterruptedException {
        ChildJvm.Result child =
                Way.MODULE_PATH_WITH_FLAGS.bare(program, "program").run();

        assertThat(child.exitCode()).isEqualTo(1);
        assertThat(child.err())
                .startsWith("Heddle may not use java.base/jdk.internal.misc of JDK 25")
                .contains("-javaagent:heddle.jar, with './heddle run -m MODULE/CLASS', or with"
                        + " --add-exports=java.base/jdk.internal.misc=dev.heddle ")
                .contains(" --add-opens=java.base/java.lang=dev.heddle ")
                .doesNotContain("ALL-UNNAMED");
        assertThat(child.err().lines()).hasSize(1);
    }

    /// The agent then comes from the class path.
    @Test
    void theAgentServesAModuleThatDoesNotKnowHeddle() throws InterruptedException {
        Path stranger = compile("stranger", "module-info.java", "stranger/Main.java");

        ChildJvm.Result child = ChildJvm.ofWords(List.of("-p", stranger.toString(), "-m", "stranger/stranger.Main"))
                .option("-javaagent:" + jar)
                .run();

        assertThat(child.lines()).containsExactly("carrier: dev.heddle.internal.kernel.Machine");
    }

    @Test
    void theModuleExportsTheApiAndOpensNothing() {
        ModuleDescriptor module =
                ModuleFinder.of(jar).find("dev.heddle").orElseThrow().descriptor();

        assertThat(module.isAutomatic()).isFalse();
        assertThat(module.isOpen()).isFalse();
        assertThat(module.opens()).isEmpty();
        assertThat(module.exports())
                .allMatch(it -> !it.isQualified())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder(
                        "dev.heddle", "dev.heddle.agent", "dev.heddle.management", "dev.heddle.stats");
    }

    /// Inflating would cost the agent's start time; the tool that adds the descriptor must not compress.
    @Test
    void everyEntryOfTheJarIsStored() throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            assertThat(file.stream().map(ZipEntry::getMethod)).containsOnly(ZipEntry.STORED);
            assertThat(file.stream().map(ZipEntry::getName))
                    .as("classes of a module descriptor only")
                    .filteredOn(it -> it.startsWith("META-INF/versions/") && it.endsWith(".class"))
                    .containsExactly("META-INF/versions/11/module-info.class");
        }
    }
}
