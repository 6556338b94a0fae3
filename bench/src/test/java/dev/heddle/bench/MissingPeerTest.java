package dev.heddle.bench;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MissingPeerTest {

    @TempDir
    private Path empty;

    private final Installation installation = Installation.locate();

    @Test
    void withoutGoTheUserIsToldWhereItWasLookedFor() {
        assertThatExceptionOfType(MissingPeerException.class)
                .isThrownBy(() -> new GoPeer(installation, 2, Map.of("PATH", empty.toString())).build())
                .withMessage("there is no go on the PATH, and HEDDLE_GO does not name one");
    }

    @Test
    void aWrongGoIsNamed() {
        assertThatExceptionOfType(MissingPeerException.class)
                .isThrownBy(() -> new GoPeer(installation, 2, Map.of("HEDDLE_GO", empty + "/go")).build())
                .withMessage("HEDDLE_GO is " + empty + "/go, which is no program");
    }

    @Test
    void kotlinNeedsMaven() {
        assertThatExceptionOfType(MissingPeerException.class)
                .isThrownBy(() -> new KotlinLibrary(installation, Map.of("PATH", empty.toString())).build())
                .withMessage("building it needs Maven, and there is no mvn on the PATH");
    }

    @Test
    void theAgentIsAJar() {
        JvmPeers peers = new JvmPeers(new Installation(empty, empty), 2, List.of());
        assertThatExceptionOfType(MissingPeerException.class)
                .isThrownBy(peers::heddle)
                .withMessage("heddle.jar is not built: run 'mvn package' first");
    }

    @Test
    void aFailedBuildIsToldInOneLine() {
        Tool shell = new Tool(Path.of("/bin/sh"), empty, Map.of());
        assertThatExceptionOfType(MissingPeerException.class)
                .isThrownBy(() -> shell.run("-c", "echo a warning; echo ERROR no network; echo much more; exit 1"))
                .withMessageEndingWith("failed: ERROR no network");
    }
}
