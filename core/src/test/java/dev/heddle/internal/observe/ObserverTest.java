package dev.heddle.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.internal.wire.Json;
import dev.heddle.internal.wire.Request;
import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.LiveJvm;
import dev.heddle.testing.ObserverClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The socket of a JVM: when it is there, who may use it, and that no client can do harm.
@EnabledOnOs(value = OS.LINUX, disabledReason = "/proc")
final class ObserverTest {

    @TempDir
    private Path folder;

    private final List<ObserverClient> clients = new ArrayList<>();

    private static LiveJvm start(String program, String... options) throws IOException, InterruptedException {
        LiveJvm child =
                ChildJvm.of(ObserverProgram.class, program).option(options).start();
        assertThat(child.readLine()).isEqualTo("ready");
        return child;
    }

    private ObserverClient connect(LiveJvm child) throws IOException, InterruptedException {
        ObserverClient client = ObserverClient.connect(child);
        clients.add(client);
        return client;
    }

    @AfterEach
    void disconnect() throws IOException {
        for (ObserverClient client : clients) {
            client.close();
        }
    }

    private static String threadsOf(LiveJvm child) throws IOException {
        StringBuilder names = new StringBuilder();
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(child.pid()), "task"))) {
            for (Path thread : (Iterable<Path>) threads::iterator) {
                names.append(nameOf(thread));
            }
        }
        return names.toString();
    }

    private static String nameOf(Path thread) throws IOException {
        try {
            return Files.readString(thread.resolve("comm"));
        } catch (NoSuchFileException _) {
            return ""; // it has ended since it was listed
        }
    }

    @Test
    void theSocketExistsFromTheFirstSignalToTheEndOfTheJvm() throws Exception {
        try (LiveJvm child = start("waits")) {
            Path socket = ObserverClient.socketOf(child);
            assertThat(socket).as("before any command asked").doesNotExist();
            assertThat(threadsOf(child)).doesNotContain("heddle-observe");

            ObserverClient client = connect(child);
            assertThat(client.ask(Request.of(Request.NAMES))).containsExactly("heddle");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
                    .isEqualTo("rwx------");

            Files.delete(socket); // as a cleaner of old files may do
            assertThat(connect(child).ask(Request.of(Request.NAMES))).containsExactly("heddle");

            child.closeInput();
            assertThat(child.waitFor()).isZero();
            assertThat(socket).doesNotExist();
            assertThat(child.remainingLines()).isEmpty();
            assertThat(child.err()).isEmpty();
        }
    }

    @Test
    void everyQuestionIsAnswered() throws Exception {
        try (LiveJvm child = start("waits")) {
            ObserverClient client = connect(child);

            assertThat(client.ask(Request.of(Request.HELLO)))
                    .singleElement()
                    .asString()
                    .contains("protocol=1", "pid=" + child.pid(), ObserverProgram.class.getName() + " waits");
            assertThat(client.ask(Request.of(Request.SNAPSHOTS))).hasSize(1);
            assertThat(client.ask(Request.of(Request.SNAPSHOT).withScheduler("heddle"))
                            .getFirst())
                    .asString()
                    .contains("name=heddle");
            assertThat(client.ask(Request.of(Request.GOROUTINES)
                                    .withScheduler("heddle")
                                    .withLimits(2, 5))
                            .getLast())
                    .asString()
                    .containsPattern("goroutines=\\[\\{id=.*\\{id=")
                    .doesNotContainPattern("\\{id=.*\\{id=.*\\{id=");
            assertThat(client.ask(Request.of(Request.JVM)).getFirst())
                    .asString()
                    .contains("heapUsed=");
            assertThat(client.ask(Request.of(Request.DEBUG).withSettings("steals=1")))
                    .singleElement()
                    .asString()
                    .contains("steals=1");
            assertThat(client.ask(Request.of(Request.RECORD).withMillis(1)).getLast())
                    .hasToString("{end=true}");
            Path heap =
                    Path.of(String.valueOf(client.ask(Request.of(Request.HEAP)).getFirst()));
            assertThat(heap).exists();
            client.close();
            Awaitility.await("the heap dump is deleted with the connection").until(() -> !Files.exists(heap));
        }
    }

    @Test
    void whatIsNotAllowedIsRefusedInOneSentence() throws Exception {
        try (LiveJvm child = start("waits")) {
            ObserverClient client = connect(child);

            assertThatThrownBy(() -> client.ask(Request.of("secrets")))
                    .hasMessageMatching("its version of Heddle \\(.*\\) does not know the question 'secrets'");
            assertThatThrownBy(() -> client.ask(Request.of(Request.SNAPSHOT).withScheduler("none")))
                    .hasMessage("there is no scheduler 'none'; there are heddle.");
            assertThatThrownBy(() -> client.ask(Request.of(Request.DEBUG).withSettings("speed=1")))
                    .hasMessageStartingWith("there is no setting 'speed'");
            assertThat(client.ask(Request.of(Request.NAMES)))
                    .as("the connection goes on")
                    .hasSize(1);

            client.send("{\"heddle\":2,\"id\":9,\"ask\":\"names\"}");
            assertThat(client.read())
                    .isEqualTo(Map.of(
                            "id",
                            9L,
                            "error",
                            "it speaks version 1 of Heddle's protocol, and this command version 2: use the command of its"
                                    + " version of Heddle"));
            assertThat(client.read()).isNull();
        }
    }

    @Test
    void whoSendsNonsenseIsDisconnectedAndOthersAreNot() throws Exception {
        try (LiveJvm child = start("waits")) {
            ObserverClient good = connect(child);
            for (String nonsense : List.of("GET / HTTP/1.1", "[]", "[".repeat(50_000), "{\"id\":\"x\"}")) {
                ObserverClient bad = connect(child);
                bad.send(nonsense);
                assertThat(bad.read()).isNull();
            }
            ObserverClient endless = connect(child);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            endless.send(" ".repeat(100_000).replace("\n", " "));
                        }
                        if (endless.read() == null) {
                            throw new IOException("disconnected");
                        }
                    })
                    .as("a request without an end")
                    .isInstanceOf(IOException.class);

            assertThat(good.ask(Request.of(Request.NAMES))).containsExactly("heddle");
            assertThat(child.err()).isEmpty();
        }
    }

    /// It sends many questions and reads no answer.
    @Test
    void aClientThatDoesNotReadDelaysNoOther() throws Exception {
        try (LiveJvm child = start("waits")) {
            ObserverClient slow = connect(child);
            String question = Json.compact(Request.of(Request.SNAPSHOTS));
            try {
                for (int i = 0; i < 500; i++) {
                    slow.send(question);
                }
            } catch (IOException _) {
                // It reads nothing, so the JVM disconnects it after ten seconds. A busy computer takes as long to send.
            }
            ObserverClient good = connect(child);
            assertThat(good.ask(Request.of(Request.NAMES))).containsExactly("heddle");
        }
    }

    @Test
    void oneClientTooManyIsSentAway() throws Exception {
        try (LiveJvm child = start("waits")) {
            for (int i = 0; i < ObserverThread.MAX_SESSIONS; i++) {
                awaitWelcome(child);
            }
            ObserverClient last = connect(child);
            assertThatThrownBy(() -> last.ask(Request.of(Request.NAMES)))
                    .hasMessage("it already answers 16 commands: end one of them");

            clients.getFirst().close();
            awaitWelcome(child);
        }
    }

    /// A connection that has been closed counts until the JVM has noticed it.
    private void awaitWelcome(LiveJvm child) {
        Awaitility.await().ignoreExceptions().until(() -> {
            ObserverClient client = ObserverClient.connect(child);
            try {
                client.ask(Request.of(Request.NAMES));
            } catch (IOException e) {
                client.close();
                throw e;
            }
            clients.add(client);
            return true;
        });
    }

    @Test
    void anObserverDoesNotHideADeadlock() throws Exception {
        try (LiveJvm child = start("deadlocks")) {
            assertThat(connect(child).ask(Request.of(Request.NAMES))).containsExactly("heddle");

            child.closeInput();

            assertThat(child.waitFor()).isEqualTo(2);
            assertThat(child.err()).startsWith("fatal error: all goroutines are asleep - deadlock!");
        }
    }

    /// Where the signal cannot be had, the socket is there from the start.
    @Test
    void aProgramKeepsItsOwnHandlerOfTheSignal() throws Exception {
        try (LiveJvm child = start("handlesTheSignal")) {
            Awaitility.await().until(() -> Files.exists(ObserverClient.socketOf(child)));
            child.signal("URG");
            assertThat(child.readLine()).isEqualTo("own handler");
        }
        try (LiveJvm child = start("waits", "-Xrs")) {
            Awaitility.await().until(() -> Files.exists(ObserverClient.socketOf(child)));
        }
    }

    @Test
    void observingCanBeSwitchedOff() throws Exception {
        for (String option : List.of("-Dheddle.observe=off", "-Dother=1")) {
            try (LiveJvm child = start("waits", option)) {
                String status = Files.readString(Path.of("/proc", Long.toString(child.pid()), "status"));
                String caught = status.lines()
                        .filter(it -> it.startsWith("SigCgt:"))
                        .findFirst()
                        .orElseThrow();
                long mask = Long.parseUnsignedLong(caught.split("\\s+")[1], 16);
                assertThat((mask >> 22 & 1) == 0).as("SIGURG with " + option).isEqualTo(option.endsWith("off"));
            }
        }
    }

    @Test
    void aBadSettingIsRefused() throws Exception {
        ChildJvm.Result child = ChildJvm.of(ObserverProgram.class, "waits")
                .option("-Dheddle.observe=sometimes")
                .run();

        assertThat(child.exitCode()).isEqualTo(1);
        assertThat(child.err())
                .contains(
                        "-Dheddle.observe=sometimes is refused: it must be on, off or the absolute path of a directory.");
    }

    @Test
    void aSettingNamesTheDirectory() throws IOException {
        Path mine = Files.createDirectory(folder.resolve("mine"));
        try (ObserverSocket socket = ObserverSocket.open(mine.toString())) {
            assertThat(socket).isNotNull();
            try (Stream<Path> files = Files.walk(mine)) {
                assertThat(files).anyMatch(it -> it.toString().endsWith(".sock"));
            }
            assertThat(ObserverSocket.open(mine.toString()))
                    .as("a second Heddle in this JVM")
                    .isNull();
        }
        assertThat(ObserverSocket.open(mine.toString()))
                .as("the file of an earlier process is replaced")
                .isNotNull();
    }

    /// Any user can make a directory in a place that all can write to.
    @Test
    void aDirectoryThatOthersControlIsNotUsed() throws IOException {
        int user = (int) Files.getAttribute(folder, "unix:uid");
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path link = Files.createDirectory(folder.resolve("link"));
        Files.createSymbolicLink(link.resolve("heddle-" + user), elsewhere);
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(
                Files.createDirectory(open.resolve("heddle-" + user)), PosixFilePermissions.fromString("rwxrwxrwx"));
        Path file = Files.createDirectory(folder.resolve("file"));
        Files.createFile(file.resolve("heddle-" + user));
        Path tooLong = Files.createDirectory(folder.resolve("x".repeat(100)));

        for (Path bad : List.of(link, open, file, tooLong, folder.resolve("missing"))) {
            assertThat(ObserverSocket.open(bad.toString())).as(bad.toString()).isNull();
        }
    }
}
